// SPDX-License-Identifier: Apache-2.0
// What a launch is given: grid, block, arguments.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace teslasim::embed {

/// Types of elements.
enum class Type : std::uint8_t { u8, s8, u16, s16, u32, s32, u64, s64, f32, f64 };

[[nodiscard]] constexpr std::size_t bytes_of(Type type) {
  switch (type) {
    case Type::u8:
    case Type::s8:
      return 1;
    case Type::u16:
    case Type::s16:
      return 2;
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return 8;
    default:
      return 4;
  }
}

template <class T>
requires std::is_arithmetic_v<T>
[[nodiscard]] constexpr Type type_of() {
  if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) <= 8, "machines have no such type");
    return sizeof(T) == 4 ? Type::f32 : Type::f64;
  } else {
    constexpr bool sign = std::is_signed_v<T>;
    switch (sizeof(T)) {
      case 1:
        return sign ? Type::s8 : Type::u8;
      case 2:
        return sign ? Type::s16 : Type::u16;
      case 4:
        return sign ? Type::s32 : Type::u32;
      default:
        return sign ? Type::s64 : Type::u64;
    }
  }
}

/// Blocks of a grid, or threads of a block.
struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
};

/// An array of the host, which is copied into device memory before a launch and, unless it is constant, back after it;
/// or a number. The array must stay until the launch has returned.
class Argument {
 public:
  using Number = std::variant<std::int64_t, std::uint64_t, double>;

  /// A number of the type that the kernel declares; without a declaration u32, s32 when it is negative, f32 for real
  /// ones.
  template <class T>
  // NOLINTNEXTLINE(google-explicit-constructor): arguments are written as values
  requires std::is_arithmetic_v<T> Argument(T value) : number_(number_of(value)) {}
  /// A number of a type of its own, which must be the kernel's.
  Argument(Number value, Type type) : number_(value), type_(type), typed_(true) {}

  template <class T>
  // NOLINTNEXTLINE(google-explicit-constructor): the same
  requires std::is_arithmetic_v<std::remove_const_t<T>> Argument(std::span<T> elements)
      : Argument(elements.data(), elements.size(), type_of<std::remove_const_t<T>>()) {}
  template <class T>
  Argument(std::vector<T>& elements)  // NOLINT(google-explicit-constructor): the same
      : Argument(std::span<T>(elements)) {}
  template <class T>
  Argument(const std::vector<T>& elements)  // NOLINT(google-explicit-constructor): the same
      : Argument(std::span<const T>(elements)) {}
  Argument(void* data, std::size_t count, Type type)
      : in_(data), out_(data), count_(count), type_(type), array_(true) {}
  Argument(const void* data, std::size_t count, Type type) : in_(data), count_(count), type_(type), array_(true) {}

  [[nodiscard]] bool is_array() const { return array_; }
  [[nodiscard]] const Number& number() const { return number_; }
  [[nodiscard]] bool typed() const { return typed_; }  ///< of a number: whether `type` is its own
  [[nodiscard]] Type type() const { return type_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(in_), count_ * bytes_of(type_)};
  }
  /// Where results go; null: nowhere.
  [[nodiscard]] std::byte* out() const { return static_cast<std::byte*>(out_); }

 private:
  template <class T>
  static Number number_of(T value) {
    if constexpr (std::is_floating_point_v<T>) return static_cast<double>(value);
    if constexpr (std::is_signed_v<T>) return static_cast<std::int64_t>(value);
    return static_cast<std::uint64_t>(value);
  }

  Number number_{std::int64_t{0}};
  const void* in_ = nullptr;
  void* out_ = nullptr;
  std::size_t count_ = 0;
  Type type_ = Type::u32;
  bool array_ = false, typed_ = false;
};

/// Bytes for constant memory: of a variable by its name, or of bank c0 from an offset on.
struct Constant {
  std::string name;          ///< empty: by `offset`
  std::uint32_t offset = 0;  ///< bytes
  std::vector<std::uint8_t> bytes;
};

/// How far a launch has come.
struct LaunchProgress {
  std::uint64_t blocks_done = 0, blocks = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t cycles = 0;  ///< SP cycles
};

struct LaunchOptions {
  std::uint32_t shared_bytes = 0;  ///< dynamic, of a block
  std::vector<Constant> constants{};
  bool timed = true;             ///< false: results and counts without time, many times faster
  std::uint64_t max_cycles = 0;  ///< SP cycles (without time, warp instructions); 0: no limit
  /// Asked a few times per second while the launch runs, in the thread that launched; false ends it, with the status
  /// "interrupted".
  std::function<bool(const LaunchProgress&)> watch{};
};

}  // namespace teslasim::embed
