// SPDX-License-Identifier: Apache-2.0
// f32 functions without rounding errors: remainders, parts of a number, neighbours.
#pragma once

#include "single.h"

namespace teslasim_device {

TESLASIM_DEVICE Single fabsf(Single x) {
  return absolute(x);
}
TESLASIM_DEVICE Single floorf(Single x) {
  return __builtin_floorf(x.value);
}
TESLASIM_DEVICE Single ceilf(Single x) {
  return __builtin_ceilf(x.value);
}
TESLASIM_DEVICE Single truncf(Single x) {
  return __builtin_truncf(x.value);
}
TESLASIM_DEVICE Single rintf(Single x) {
  return __builtin_rintf(x.value);
}
/// Halves away from zero: the chip rounds them to even, so the fraction decides.
TESLASIM_DEVICE Single roundf(Single x) {
  const Single whole = truncf(x);
  const Single away = with_sign(1.0F, x);
  const bool half = absolute(x - whole) >= 0.5F;
  return half ? whole + away : with_sign(whole, x);
}
TESLASIM_DEVICE Single copysignf(Single x, Single y) {
  return with_sign(x, y);
}
TESLASIM_DEVICE Single fminf(Single x, Single y) {
  if (is_nan(x)) return y;
  return y < x ? y : x;
}
TESLASIM_DEVICE Single fmaxf(Single x, Single y) {
  if (is_nan(x)) return y;
  return y > x ? y : x;
}
TESLASIM_DEVICE Single fdimf(Single x, Single y) {
  if (is_nan(x) || is_nan(y)) return not_a_number();
  return x > y ? x - y : Single(0.0F);
}
/// The fraction keeps the sign of x; that of infinity is zero.
TESLASIM_DEVICE Single modff(Single x, Single& whole) {
  whole = with_sign(truncf(x), x);
  if (is_nan(x)) return x;
  return with_sign(is_infinite(x) ? Single(0.0F) : x - whole, x);
}
TESLASIM_DEVICE Single frexpf(Single x, int& exponent) {
  const Word bits = bits_of(x);
  const int field = static_cast<int>(bits >> 23U & 0xffU);
  const bool ordinary = field != 0 && field != 255;
  exponent = ordinary ? field - 126 : 0;
  return ordinary ? single_of((bits & 0x807fffffU) | 0x3f000000U) : x + x;
}
/// The exponent field is moved; a result below the normal range is zero, beyond it infinity.
TESLASIM_DEVICE Single ldexpf(Single x, int exponent) {
  if (is_zero(x) || is_nan(x) || is_infinite(x)) return x + x;
  const int field = static_cast<int>(bits_of(x) >> 23U & 0xffU);
  const int limited = exponent > 300 ? 300 : (exponent < -300 ? -300 : exponent);
  const int moved = field + limited;
  if (moved <= 0) return single_of(sign_bit(x));
  if (moved >= 255) return with_sign(infinity(), x);
  return single_of((bits_of(x) & 0x807fffffU) | static_cast<Word>(moved) << 23U);
}
TESLASIM_DEVICE Single logbf(Single x) {
  if (is_zero(x)) return -infinity();
  if (is_nan(x)) return x;
  if (is_infinite(x)) return infinity();
  return static_cast<float>(static_cast<int>(bits_of(x) >> 23U & 0xffU) - 127);
}
TESLASIM_DEVICE int ilogbf(Single x) {
  if (is_zero(x) || is_nan(x)) return -2147483647 - 1;
  if (is_infinite(x)) return 2147483647;
  return static_cast<int>(bits_of(x) >> 23U & 0xffU) - 127;
}
/// The next number that the chip knows: between the smallest normal ones there is only zero.
TESLASIM_DEVICE Single nextafterf(Single x, Single y) {
  if (is_nan(x) || is_nan(y)) return not_a_number();
  const bool zero = is_zero(x);
  if (x == y || (zero && is_zero(y))) return y;
  if (zero) return single_of(sign_bit(y) | 0x00800000U);
  const bool outwards = (x < y) == (sign_bit(x) == 0);
  const Single moved = single_of(outwards ? bits_of(x) + 1 : bits_of(x) - 1);
  return is_zero(moved) ? single_of(sign_bit(x)) : moved;
}

/// What is left of the significand of |x| after subtracting |y| as often as it goes, bit by bit: exact, and no step
/// depends on a quotient that rounding could spoil (Knuth 1969, long division).
struct LongRemainder {
  Single rest;    ///< of |x|, 0 <= rest < |y|
  Word quotient;  ///< its lower bits
};
TESLASIM_DEVICE Single normalized(Word significand, int field) {
  if (significand == 0) return 0.0F;
  const int zeros = leading_zeros(significand) - 8;
  const int moved = field - zeros;
  if (moved <= 0) return 0.0F;
  return single_of(((significand << static_cast<Word>(zeros)) & 0x7fffffU) | static_cast<Word>(moved) << 23U);
}
TESLASIM_DEVICE LongRemainder long_remainder(Single x, Single y) {
  const Word a = bits_of(x) & 0x7fffffffU;
  const Word b = bits_of(y) & 0x7fffffffU;
  if (a < b) return {single_of(a), 0};
  Word rest = (a & 0x7fffffU) | 0x800000U;
  const Word divisor = (b & 0x7fffffU) | 0x800000U;
  Word quotient = 0;
  for (int steps = static_cast<int>(a >> 23U) - static_cast<int>(b >> 23U); steps >= 0; --steps) {
    const bool fits = rest >= divisor;
    rest = fits ? rest - divisor : rest;
    quotient = quotient << 1U | (fits ? 1U : 0U);
    if (steps > 0) rest <<= 1U;
  }
  return {normalized(rest, static_cast<int>(b >> 23U)), quotient};
}
TESLASIM_DEVICE bool no_remainder(Single x, Single y) {
  return is_nan(x) || is_nan(y) || is_infinite(x) || is_zero(y);
}
TESLASIM_DEVICE Single fmodf(Single x, Single y) {
  if (no_remainder(x, y)) return not_a_number();
  if (is_zero(x) || is_infinite(y)) return x;
  return with_sign(long_remainder(x, y).rest, x);
}
/// x - n y with n the nearest integer, the even one of two; `quotient` gets the sign and the lower three bits of n at
/// least.
TESLASIM_DEVICE Single remquof(Single x, Single y, int& quotient) {
  quotient = 0;
  if (no_remainder(x, y)) return not_a_number();
  if (is_zero(x) || is_infinite(y)) return x;
  LongRemainder result = long_remainder(x, y);
  const Single b = absolute(y);
  // The distance to the next multiple is exact where it matters: near half of y.
  const Single above = b - result.rest;
  const bool odd = (result.quotient & 1U) != 0;
  if (result.rest > above || (result.rest == above && odd)) {
    result.rest = -above;
    ++result.quotient;
  }
  const int lower = static_cast<int>(result.quotient & 0x7fffffffU);
  quotient = sign_bit(x) == sign_bit(y) ? lower : -lower;
  const Single rest = is_zero(result.rest) ? single_of(0) : result.rest;
  return sign_bit(x) != 0 ? -rest : rest;
}
TESLASIM_DEVICE Single remainderf(Single x, Single y) {
  int quotient = 0;
  return remquof(x, y, quotient);
}

}  // namespace teslasim_device
