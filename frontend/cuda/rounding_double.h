// SPDX-License-Identifier: Apache-2.0
// f64 functions without rounding errors: remainders, parts of a number, neighbours. Denormals are numbers here.
#pragma once

#include "double.h"

namespace teslasim_device {

TESLASIM_DEVICE Double fabs(Double x) {
  return absolute(x);
}
TESLASIM_DEVICE Double floor(Double x) {
  return __builtin_floor(x);
}
TESLASIM_DEVICE Double ceil(Double x) {
  return __builtin_ceil(x);
}
TESLASIM_DEVICE Double trunc(Double x) {
  return __builtin_trunc(x);
}
TESLASIM_DEVICE Double rint(Double x) {
  return __builtin_rint(x);
}
/// Halves away from zero: the chip rounds them to even, so the fraction decides.
TESLASIM_DEVICE Double round(Double x) {
  const Double whole = trunc(x);
  const bool half = absolute(x - whole) >= 0.5;
  return half ? whole + with_sign(1.0, x) : with_sign(whole, x);
}
TESLASIM_DEVICE Double copysign(Double x, Double y) {
  return with_sign(x, y);
}
TESLASIM_DEVICE Double fmin(Double x, Double y) {
  if (is_nan(x)) return y;
  return y < x ? y : x;
}
TESLASIM_DEVICE Double fmax(Double x, Double y) {
  if (is_nan(x)) return y;
  return y > x ? y : x;
}
TESLASIM_DEVICE Double fdim(Double x, Double y) {
  if (is_nan(x) || is_nan(y)) return undefined_double();
  return x > y ? x - y : 0.0;
}
/// The fraction keeps the sign of x; that of infinity is zero.
TESLASIM_DEVICE Double modf(Double x, Double& whole) {
  whole = with_sign(trunc(x), x);
  if (is_nan(x)) return x;
  return with_sign(is_infinite(x) ? 0.0 : x - whole, x);
}
TESLASIM_DEVICE bool has_no_exponent(Double x) {
  return x == 0.0 || is_nan(x) || is_infinite(x);
}
TESLASIM_DEVICE Double frexp(Double x, int& exponent) {
  exponent = 0;
  if (has_no_exponent(x)) return x + x;
  const SplitDouble split = split_double(x);
  exponent = split.exponent + 1;
  return 0.5 * split.significand;
}
/// One step to the normal range at most, and one that may round.
TESLASIM_DEVICE Double ldexp(Double x, int exponent) {
  if (has_no_exponent(x)) return x + x;
  const int limited = exponent > 2200 ? 2200 : (exponent < -2200 ? -2200 : exponent);
  const SplitDouble split = split_double(x);
  const int moved = split.exponent + limited;
  if (moved > 1023) return with_sign(infinite_double(), x);
  if (moved >= -1022) return split.significand * double_power_of_two(moved);
  if (moved < -1080) return with_sign(0.0, x);
  return split.significand * double_power_of_two(moved + 1000) * double_power_of_two(-1000);
}
TESLASIM_DEVICE Double logb(Double x) {
  if (x == 0.0) return -infinite_double();
  if (is_nan(x)) return x;
  if (is_infinite(x)) return infinite_double();
  return static_cast<double>(split_double(x).exponent);
}
TESLASIM_DEVICE int ilogb(Double x) {
  if (x == 0.0 || is_nan(x)) return -2147483647 - 1;
  if (is_infinite(x)) return 2147483647;
  return split_double(x).exponent;
}
TESLASIM_DEVICE Double nextafter(Double x, Double y) {
  if (is_nan(x) || is_nan(y)) return undefined_double();
  if (x == y) return y;
  if (x == 0.0) return double_of(sign_bit(y) | 1ULL);
  const bool outwards = (x < y) == (sign_bit(x) == 0);
  return double_of(outwards ? bits_of(x) + 1 : bits_of(x) - 1);
}

/// What is left of |x| after subtracting |y| as often as it goes, bit by bit (Knuth 1969, long division).
struct LongRemainderOfDouble {
  Double rest;    ///< of |x|, 0 <= rest < |y|
  Word quotient;  ///< its lower bits
};
/// A significand with the leading bit at 52, and the power of two that its last place stands for.
struct WholeSignificand {
  LongWord value;
  int exponent;
};
TESLASIM_DEVICE WholeSignificand whole_significand(Double x) {
  const SplitDouble split = split_double(x);
  return {(bits_of(split.significand) & ((1ULL << 52U) - 1)) | 1ULL << 52U, split.exponent - 52};
}
TESLASIM_DEVICE LongRemainderOfDouble long_remainder(Double x, Double y) {
  const Double a = absolute(x);
  const Double b = absolute(y);
  if (a < b) return {a, 0};
  const WholeSignificand p = whole_significand(a);
  const WholeSignificand q = whole_significand(b);
  LongWord rest = p.value;
  Word quotient = 0;
  for (int steps = p.exponent - q.exponent; steps >= 0; --steps) {
    const bool fits = rest >= q.value;
    rest = fits ? rest - q.value : rest;
    quotient = quotient << 1U | (fits ? 1U : 0U);
    if (steps > 0) rest <<= 1U;
  }
  // At most 53 bits, and no place below the last one of y: exact.
  return {ldexp(static_cast<double>(static_cast<long long>(rest)), q.exponent), quotient};
}
TESLASIM_DEVICE bool no_remainder(Double x, Double y) {
  return is_nan(x) || is_nan(y) || is_infinite(x) || y == 0.0;
}
TESLASIM_DEVICE Double fmod(Double x, Double y) {
  if (no_remainder(x, y)) return undefined_double();
  if (x == 0.0 || is_infinite(y)) return x;
  return with_sign(long_remainder(x, y).rest, x);
}
/// x - n y with n the nearest integer, the even one of two; `quotient` gets the sign and the lower bits of n.
TESLASIM_DEVICE Double remquo(Double x, Double y, int& quotient) {
  quotient = 0;
  if (no_remainder(x, y)) return undefined_double();
  if (x == 0.0 || is_infinite(y)) return x;
  LongRemainderOfDouble result = long_remainder(x, y);
  const Double b = absolute(y);
  const Double above = b - result.rest;
  const bool odd = (result.quotient & 1U) != 0;
  // Where b - rest rounds, rest is below b/2 by far and the comparison stays right.
  if (result.rest > above || (result.rest == above && odd)) {
    result.rest = -above;
    ++result.quotient;
  }
  const int lower = static_cast<int>(result.quotient & 0x7fffffffU);
  quotient = sign_bit(x) == sign_bit(y) ? lower : -lower;
  return sign_bit(x) != 0 ? -result.rest : result.rest;
}
TESLASIM_DEVICE Double remainder(Double x, Double y) {
  int quotient = 0;
  return remquo(x, y, quotient);
}

}  // namespace teslasim_device
