// SPDX-License-Identifier: Apache-2.0
// Numbers that must not be mistaken for each other: a count of SM cycles is no count of SP cycles, the number of an SM
// is no number of a warp. A mistake does not compile; the code that is left is that of plain integers.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <limits>

namespace teslasim {

/// An amount, or a point in time, in the unit that `Unit` names. It is added to and compared with its own kind and with
/// plain numbers, which are taken to be in the same unit; two kinds do not mix. `count()` gives the plain number: write
/// it where one unit is turned into another.
template <typename Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  template <std::integral Number>
  constexpr Quantity(Number count) : count_(static_cast<std::uint64_t>(count)) {}  // NOLINT(*-explicit-*): see above

  template <std::floating_point Number>
  explicit constexpr Quantity(Number count) : count_(static_cast<std::uint64_t>(count)) {}

  [[nodiscard]] constexpr std::uint64_t count() const { return count_; }
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  explicit constexpr operator Number() const { return static_cast<Number>(count_); }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;  // NOLINT(modernize-use-nullptr): of clang-tidy 14
  friend constexpr bool operator==(Quantity, Quantity) = default;

  constexpr Quantity& operator+=(Quantity other) { return count_ += other.count_, *this; }
  constexpr Quantity& operator-=(Quantity other) { return count_ -= other.count_, *this; }
  template <std::integral Number>
  constexpr Quantity& operator*=(Number times) {
    return *this = *this * times;
  }
  constexpr Quantity& operator++() { return ++count_, *this; }
  constexpr Quantity& operator--() { return --count_, *this; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.count_ + b.count_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.count_ - b.count_); }

  /// So many times, or such a part of, the amount.
  template <std::integral Number>
  friend constexpr Quantity operator*(Quantity a, Number times) {
    return Quantity(a.count_ * static_cast<std::uint64_t>(times));
  }
  template <std::integral Number>
  friend constexpr Quantity operator*(Number times, Quantity a) {
    return a * times;
  }
  template <std::integral Number>
  friend constexpr Quantity operator/(Quantity a, Number parts) {
    return Quantity(a.count_ / static_cast<std::uint64_t>(parts));
  }
  /// How often the one is in the other.
  friend constexpr std::uint64_t operator/(Quantity a, Quantity b) { return a.count_ / b.count_; }
  /// What is left over: still an amount.
  template <std::integral Number>
  friend constexpr Quantity operator%(Quantity a, Number parts) {
    return Quantity(a.count_ % static_cast<std::uint64_t>(parts));
  }
  friend constexpr Quantity operator%(Quantity a, Quantity b) { return Quantity(a.count_ % b.count_); }

  /// As std::min and std::max, but of plain numbers: a choice between objects keeps both in the host's memory.
  friend constexpr Quantity lesser(Quantity a, Quantity b) { return b.count_ < a.count_ ? b.count_ : a.count_; }
  friend constexpr Quantity greater(Quantity a, Quantity b) { return a.count_ < b.count_ ? b.count_ : a.count_; }

  /// The plain number, for messages of tests.
  template <typename Character, typename Traits>
  friend std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out, Quantity value) {
    return out << value.count();
  }

 private:
  std::uint64_t count_ = 0;
};

template <typename Any>
inline constexpr bool is_quantity = false;
template <typename Unit>
inline constexpr bool is_quantity<Quantity<Unit>> = true;

/// The number by which a part of the machine or of a grid is known. It turns into its plain number by itself, as an
/// index does; a number of another kind is not taken for it.
template <typename Kind, std::unsigned_integral Number = unsigned>
class Identifier {
 public:
  constexpr Identifier() = default;
  template <std::integral Plain>
  constexpr Identifier(Plain number) : number_(static_cast<Number>(number)) {}  // NOLINT(*-explicit-*): a plain number

  constexpr operator Number() const { return number_; }  // NOLINT(*-explicit-*): an index
  [[nodiscard]] constexpr Number number() const { return number_; }
  constexpr Identifier& operator++() { return ++number_, *this; }

 private:
  Number number_ = 0;
};

}  // namespace teslasim

template <typename Unit>
struct std::numeric_limits<teslasim::Quantity<Unit>> : std::numeric_limits<std::uint64_t> {
  static constexpr teslasim::Quantity<Unit> max() { return std::numeric_limits<std::uint64_t>::max(); }
};
