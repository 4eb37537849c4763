// SPDX-License-Identifier: Apache-2.0
// Rounding done with integers: from an exact value to a binary floating-point format or to an integer, in any of the
// four modes. Used where the host's arithmetic would need its rounding mode changed (conversions, double precision).
#pragma once

#include <bit>
#include <cstdint>

#include "isa/instruction.h"

namespace teslasim::semantics {

__extension__ using Wide = unsigned __int128;

[[nodiscard]] inline int bit_width(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64U);
  if (high != 0) return 64 + static_cast<int>(std::bit_width(high));
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
}

/// An exact number: (-1)^negative * significand * 2^exponent; `inexact` adds something positive below one unit.
struct ExactNumber {
  bool negative = false;
  int exponent = 0;
  Wide significand = 0;
  bool inexact = false;
};

/// significand / 2^shift rounded to an integer.
[[nodiscard]] inline Wide shift_rounded(const ExactNumber& number, int shift, Rounding mode) {
  constexpr int width = 128;
  if (shift <= 0) return number.significand << static_cast<unsigned>(-shift);
  const bool all_out = shift >= width;
  const Wide kept = all_out ? 0 : number.significand >> static_cast<unsigned>(shift);
  const Wide lost = all_out ? number.significand : number.significand & ((Wide{1} << static_cast<unsigned>(shift)) - 1);
  if (lost == 0 && !number.inexact) return kept;
  bool away = mode == (number.negative ? Rounding::down : Rounding::up);
  if (mode == Rounding::nearest && shift <= width) {
    const Wide half = Wide{1} << static_cast<unsigned>(shift - 1);
    const bool tie = lost == half && !number.inexact;
    away = tie ? (kept & 1U) != 0 : lost >= half;
  }
  return away ? kept + 1 : kept;
}

struct BinaryFormat {
  int precision;  ///< significant bits, the hidden one included
  int bias;

  [[nodiscard]] constexpr int smallest_exponent() const { return 1 - bias; }
  [[nodiscard]] constexpr std::uint64_t infinity() const {
    return static_cast<std::uint64_t>(2 * bias + 1) << static_cast<unsigned>(precision - 1);
  }
  [[nodiscard]] constexpr std::uint64_t sign_bit() const {
    return std::uint64_t{1} << static_cast<unsigned>(std::bit_width(infinity()));
  }
  [[nodiscard]] constexpr std::uint64_t fraction_mask() const {
    return (std::uint64_t{1} << static_cast<unsigned>(precision - 1)) - 1;
  }
};

inline constexpr BinaryFormat binary16{11, 15};
inline constexpr BinaryFormat binary32{24, 127};
inline constexpr BinaryFormat binary64{53, 1023};

/// The bit pattern of `number` in `format`, denormals included. `number` must not be zero.
[[nodiscard]] inline std::uint64_t round_to_format(const ExactNumber& number, const BinaryFormat& format,
                                                   Rounding mode) {
  const std::uint64_t sign = number.negative ? format.sign_bit() : 0;
  const int leading = number.exponent + bit_width(number.significand) - 1;
  int unit = (leading > format.smallest_exponent() ? leading : format.smallest_exponent()) - (format.precision - 1);
  Wide significand = shift_rounded(number, unit - number.exponent, mode);
  if (bit_width(significand) > format.precision) {
    significand >>= 1U;
    ++unit;
  }
  const auto digits = static_cast<std::uint64_t>(significand);
  if (digits <= format.fraction_mask()) return sign | digits;  // denormal
  const int biased = unit + format.precision - 1 + format.bias;
  if (biased > 2 * format.bias) {
    const bool to_infinity = mode == Rounding::nearest || mode == (number.negative ? Rounding::down : Rounding::up);
    return sign | (to_infinity ? format.infinity() : format.infinity() - 1);
  }
  return sign | (static_cast<std::uint64_t>(biased) << static_cast<unsigned>(format.precision - 1)) |
         (digits & format.fraction_mask());
}

/// A finite bit pattern taken apart. Zero gives significand 0.
[[nodiscard]] inline ExactNumber take_apart(std::uint64_t bits, const BinaryFormat& format) {
  ExactNumber number;
  number.negative = (bits & format.sign_bit()) != 0;
  const auto biased = static_cast<int>((bits & format.infinity()) >> static_cast<unsigned>(format.precision - 1));
  const std::uint64_t fraction = bits & format.fraction_mask();
  const bool normal = biased != 0;
  number.significand = normal ? fraction | (format.fraction_mask() + 1) : fraction;
  number.exponent = (normal ? biased : 1) - format.bias - (format.precision - 1);
  return number;
}

[[nodiscard]] inline bool is_nan(std::uint64_t bits, const BinaryFormat& format) {
  return (bits & (format.sign_bit() - 1)) > format.infinity();
}
[[nodiscard]] inline bool is_infinite(std::uint64_t bits, const BinaryFormat& format) {
  return (bits & (format.sign_bit() - 1)) == format.infinity();
}

/// The magnitude rounded to an integer; values of 2^64 and more give all ones.
[[nodiscard]] inline std::uint64_t round_to_magnitude(const ExactNumber& number, Rounding mode) {
  if (number.significand == 0) return 0;
  if (number.exponent + bit_width(number.significand) > 64) return ~std::uint64_t{0};
  const Wide rounded = shift_rounded(number, -number.exponent, mode);
  return bit_width(rounded) > 64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(rounded);
}

/// A finite value of `format` rounded to an integral value of the same format; the sign of zero is kept.
[[nodiscard]] inline std::uint64_t round_to_integral(std::uint64_t bits, const BinaryFormat& format, Rounding mode) {
  ExactNumber number = take_apart(bits, format);
  if (number.significand == 0 || number.exponent >= 0) return bits;
  const ExactNumber integral{number.negative, 0, shift_rounded(number, -number.exponent, mode), false};
  if (integral.significand == 0) return bits & format.sign_bit();
  return round_to_format(integral, format, mode);
}

}  // namespace teslasim::semantics
