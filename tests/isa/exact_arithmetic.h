// SPDX-License-Identifier: Apache-2.0
// IEEE 754 by the definition: exact integers of any length, rounded once. Slow, and shares nothing with the lanes.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

#include "isa/instruction.h"

namespace teslasim::exact {

using Integer = boost::multiprecision::cpp_int;

struct Format {
  unsigned precision;      ///< significant bits
  unsigned exponent_bits;  ///< width of the exponent field
  [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  [[nodiscard]] unsigned fraction_bits() const { return precision - 1; }
  [[nodiscard]] std::uint64_t sign() const { return std::uint64_t{1} << (fraction_bits() + exponent_bits); }
  [[nodiscard]] std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits(); }
  [[nodiscard]] std::uint64_t largest() const { return infinity() - 1; }
  [[nodiscard]] std::uint64_t smallest_normal() const { return std::uint64_t{1} << fraction_bits(); }
  /// Exponent of the last bit of the smallest numbers.
  [[nodiscard]] int last_exponent() const { return 1 - bias() - static_cast<int>(fraction_bits()); }
  [[nodiscard]] bool is_nan(std::uint64_t bits) const { return (bits & ~sign()) > infinity(); }
  [[nodiscard]] bool is_infinite(std::uint64_t bits) const { return (bits & ~sign()) == infinity(); }
  [[nodiscard]] bool is_zero(std::uint64_t bits) const { return (bits & ~sign()) == 0; }
  [[nodiscard]] bool is_negative(std::uint64_t bits) const { return (bits & sign()) != 0; }
};

inline constexpr Format single{24, 8};
inline constexpr Format twice{53, 11};

/// significand * 2^exponent
struct Number {
  Integer significand;
  int exponent = 0;
};

inline Number value_of(std::uint64_t bits, const Format& format) {
  const std::uint64_t magnitude = bits & ~format.sign();
  const auto field = static_cast<int>(magnitude >> format.fraction_bits());
  Integer significand = magnitude & (format.smallest_normal() - 1);
  if (field != 0) significand += format.smallest_normal();
  const int exponent = format.last_exponent() + (field == 0 ? 0 : field - 1);
  return {format.is_negative(bits) ? Integer(-significand) : significand, exponent};
}

inline Number product(const Number& a, const Number& b) {
  return {a.significand * b.significand, a.exponent + b.exponent};
}

inline Number sum(const Number& a, const Number& b) {
  const int exponent = std::min(a.exponent, b.exponent);
  return {(a.significand << static_cast<unsigned>(a.exponent - exponent)) +
              (b.significand << static_cast<unsigned>(b.exponent - exponent)),
          exponent};
}

/// To at most `precision` bits whose last has an exponent of at least `last`. Not zero.
inline Number rounded(const Number& number, unsigned precision, int last, Rounding mode) {
  const bool negative = number.significand < 0;
  const Integer magnitude = negative ? Integer(-number.significand) : number.significand;
  const int width = static_cast<int>(msb(magnitude)) + 1;
  const int drop = std::max(width - static_cast<int>(precision), last - number.exponent);
  if (drop <= 0) return number;
  const auto distance = static_cast<unsigned>(drop);
  Integer kept = magnitude >> distance;
  const Integer rest = magnitude - (kept << distance);
  const Integer half = Integer(1) << (distance - 1);
  bool away = false;
  if (mode == Rounding::nearest) away = rest > half || (rest == half && bit_test(kept, 0));
  if (mode == Rounding::down) away = negative && rest != 0;
  if (mode == Rounding::up) away = !negative && rest != 0;
  if (away) ++kept;
  return {negative ? Integer(-kept) : kept, number.exponent + drop};
}

inline std::uint64_t overflowed(bool negative, const Format& format, Rounding mode) {
  const bool to_largest =
      mode == Rounding::zero || (mode == Rounding::down && !negative) || (mode == Rounding::up && negative);
  return (negative ? format.sign() : 0) | (to_largest ? format.largest() : format.infinity());
}

/// The bits of a number that was rounded to the format already; `negative` is the sign of a zero.
inline std::uint64_t encoded(const Number& number, bool negative, const Format& format, Rounding mode) {
  if (number.significand != 0) negative = number.significand < 0;
  Integer magnitude = number.significand < 0 ? Integer(-number.significand) : number.significand;
  const std::uint64_t sign = negative ? format.sign() : 0;
  if (magnitude == 0) return sign;
  int exponent = number.exponent;
  while (msb(magnitude) + 1 < format.precision && exponent > format.last_exponent()) {
    magnitude <<= 1;
    --exponent;
  }
  while (exponent < format.last_exponent() || msb(magnitude) + 1 > format.precision) {  // only zeros are lost
    magnitude >>= 1;
    ++exponent;
  }
  const auto significand = static_cast<std::uint64_t>(magnitude);
  if (significand < format.smallest_normal()) return sign | significand;
  const int field = exponent - format.last_exponent() + 1;
  if (field >= (1 << format.exponent_bits) - 1) return overflowed(negative, format, mode);
  return sign | static_cast<std::uint64_t>(field) << format.fraction_bits() | (significand - format.smallest_normal());
}

/// A number rounded once to the format, subnormal numbers included.
inline std::uint64_t to_format(const Number& number, bool negative_zero, const Format& format, Rounding mode) {
  if (number.significand == 0) return negative_zero ? format.sign() : 0;
  const bool negative = number.significand < 0;
  return encoded(rounded(number, format.precision, format.last_exponent(), mode), negative, format, mode);
}

/// a * b + c as the standard defines it; `invalid` for what has no value. No operand is NaN.
inline std::uint64_t fused(std::uint64_t a, std::uint64_t b, std::uint64_t c, const Format& format, Rounding mode,
                           std::uint64_t invalid) {
  const bool product_negative = format.is_negative(a) != format.is_negative(b);
  if (format.is_infinite(a) || format.is_infinite(b)) {
    if (format.is_zero(a) || format.is_zero(b)) return invalid;
    if (format.is_infinite(c) && format.is_negative(c) != product_negative) return invalid;
    return (product_negative ? format.sign() : 0) | format.infinity();
  }
  if (format.is_infinite(c)) return c;
  const Number exact = sum(product(value_of(a, format), value_of(b, format)), value_of(c, format));
  const bool product_is_zero = format.is_zero(a) || format.is_zero(b);
  bool negative_zero = mode == Rounding::down;
  if (format.is_negative(c) == product_negative && (product_is_zero || exact.significand == 0))
    negative_zero = product_negative;
  return to_format(exact, negative_zero, format, mode);
}

inline std::uint64_t added(std::uint64_t a, std::uint64_t b, const Format& format, Rounding mode,
                           std::uint64_t invalid) {
  const std::uint64_t one = static_cast<std::uint64_t>(format.bias()) << format.fraction_bits();
  return fused(a, one, b, format, mode, invalid);
}

inline std::uint64_t multiplied(std::uint64_t a, std::uint64_t b, const Format& format, Rounding mode,
                                std::uint64_t invalid) {
  const bool negative = format.is_negative(a) != format.is_negative(b);
  // A zero of the product's own sign changes nothing.
  return fused(a, b, negative ? format.sign() : 0, format, mode, invalid);
}

}  // namespace teslasim::exact
