// SPDX-License-Identifier: Apache-2.0
// Elements of buffers on the host: names of their types, and reading and writing single values.
// Device memory is little-endian; so are the hosts we build for (checked at compile time in element.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction.h"

namespace teslasim {

/// The element types that launch files offer, in the order of the documentation. f16 and b128 are not offered.
[[nodiscard]] const std::vector<std::string>& element_type_names();
[[nodiscard]] std::optional<ValueType> element_type(std::string_view name);

[[nodiscard]] bool is_real(ValueType type);
/// b8-like types without sign: they stand for any type of their size.
[[nodiscard]] bool is_untyped(ValueType type);

/// Smallest and one past the largest value of an integer type. b types span signed and unsigned values.
struct IntegerRange {
  double low = 0.0;
  double high = 0.0;
};
[[nodiscard]] IntegerRange integer_range(ValueType type);

/// A value of a real or integer element as a double (64-bit integers are rounded).
[[nodiscard]] double read_real(ValueType type, const std::byte* source);
/// The same of one element after the other.
void read_reals(ValueType type, std::span<const std::byte> source, double* target);
/// A value of an integer element, sign- or zero-extended; u64 above 2^63 wraps.
[[nodiscard]] std::int64_t read_integer(ValueType type, const std::byte* source);
/// Stores `value` rounded to a real type.
void write_real(ValueType type, double value, std::byte* target);
/// Stores the low bytes of `bits`.
void write_integer(ValueType type, std::uint64_t bits, std::byte* target);
/// Stores a number given as a double: rounded for real types, converted for integer types (the caller checked the
/// range).
void write_number(ValueType type, double value, std::byte* target);
/// The bits of a number as a scalar parameter.
[[nodiscard]] std::uint64_t bits_of_number(ValueType type, double value);

}  // namespace teslasim
