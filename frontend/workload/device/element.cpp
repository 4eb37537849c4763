// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/device/element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "isa/names.h"

namespace teslasim {

namespace {

static_assert(std::endian::native == std::endian::little, "buffers are copied to device memory byte by byte");

constexpr std::array offered{ValueType::u8,  ValueType::s8,  ValueType::u16, ValueType::s16, ValueType::b16,
                             ValueType::u32, ValueType::s32, ValueType::b32, ValueType::f32, ValueType::u64,
                             ValueType::s64, ValueType::b64, ValueType::f64};

constexpr double two_to_63 = 9223372036854775808.0;

/// 2^63 and above does not fit the signed conversion, negative values do not fit the unsigned one.
std::uint64_t integer_bits(double value) {
  if (value >= two_to_63) return static_cast<std::uint64_t>(value);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

/// Element types have at most 8 bytes.
unsigned integer_bytes(ValueType type) {
  return std::min(bytes_of(type), 8U);
}

}  // namespace

const std::vector<std::string>& element_type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const ValueType type : offered) all.emplace_back(type_name(type));
    return all;
  }();
  return names;
}

std::optional<ValueType> element_type(std::string_view name) {
  for (const ValueType type : offered) {
    if (type_name(type) == name) return type;
  }
  return std::nullopt;
}

bool is_real(ValueType type) {
  return type == ValueType::f32 || type == ValueType::f64;
}

bool is_untyped(ValueType type) {
  return type == ValueType::b16 || type == ValueType::b32 || type == ValueType::b64;
}

IntegerRange integer_range(ValueType type) {
  const double unsigned_end = static_cast<double>(std::uint64_t{1} << (bytes_of(type) * 8 - 1)) * 2.0;
  if (is_signed(type)) return {-unsigned_end / 2.0, unsigned_end / 2.0};
  if (is_untyped(type)) return {-unsigned_end / 2.0, unsigned_end};
  return {0.0, unsigned_end};
}

double read_real(ValueType type, const std::byte* source) {
  if (type == ValueType::f32) {
    float value = 0.0F;
    std::memcpy(&value, source, sizeof value);
    return static_cast<double>(value);
  }
  if (type == ValueType::f64) {
    double value = 0.0;
    std::memcpy(&value, source, sizeof value);
    return value;
  }
  const std::int64_t value = read_integer(type, source);
  const bool unsigned_type = !is_signed(type) && bytes_of(type) == 8;
  return unsigned_type ? static_cast<double>(static_cast<std::uint64_t>(value)) : static_cast<double>(value);
}

void read_reals(ValueType type, std::span<const std::byte> source, double* target) {
  const std::size_t size = bytes_of(type), count = source.size() / size;
  if (type != ValueType::f32) {
    for (std::size_t i = 0; i < count; ++i) target[i] = read_real(type, &source[i * size]);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    float value = 0.0F;
    std::memcpy(&value, source.data() + i * sizeof value, sizeof value);
    target[i] = static_cast<double>(value);
  }
}

std::int64_t read_integer(ValueType type, const std::byte* source) {
  std::uint64_t bits = 0;
  const unsigned bytes = integer_bytes(type);
  std::memcpy(&bits, source, bytes);
  if (is_signed(type) && bytes < 8) {
    const unsigned shift = 64 - bytes * 8;
    return static_cast<std::int64_t>(bits << shift) >> shift;
  }
  return static_cast<std::int64_t>(bits);
}

void write_real(ValueType type, double value, std::byte* target) {
  if (type == ValueType::f32) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(target, &narrow, sizeof narrow);
    return;
  }
  std::memcpy(target, &value, sizeof value);
}

void write_integer(ValueType type, std::uint64_t bits, std::byte* target) {
  std::memcpy(target, &bits, integer_bytes(type));
}

void write_number(ValueType type, double value, std::byte* target) {
  if (is_real(type)) {
    write_real(type, value, target);
    return;
  }
  write_integer(type, integer_bits(value), target);
}

std::uint64_t bits_of_number(ValueType type, double value) {
  std::array<std::byte, 8> bytes{};
  write_number(type, value, bytes.data());
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), sizeof bits);
  return bits;
}

}  // namespace teslasim
