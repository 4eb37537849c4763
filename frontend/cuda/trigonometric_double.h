// SPDX-License-Identifier: Apache-2.0
// f64 sin, cos, tan, asin, acos, atan, atan2, erf, erfc. Reduction as for f32: Cody & Waite 1980 below 100000, Payne &
// Hanek 1983 beyond, with 192 bits of 2/pi.
#pragma once

#include "double.h"
#include "exponential_double.h"
#include "series_double.h"

namespace teslasim_device {

struct ReducedDoubleAngle {
  DoublePair rest;
  Word quadrant;
};
TESLASIM_DEVICE ReducedDoubleAngle near_angle(Double x) {
  const Double n = __builtin_rint(x * 0.63661977236758138);
  const Double exact = fma_of(n, -1.5707963267341256, x);
  const DoublePair rest = exact_sum(exact, n * -6.077100506303966e-11);
  const DoublePair whole = exact_sum(rest.high, n * -2.0222662487959506e-21);
  return {{whole.high, whole.low + rest.low}, static_cast<Word>(static_cast<int>(n))};
}

/// 64 bits of 2/pi; word 0 is zero.
TESLASIM_DEVICE LongWord long_two_over_pi(Word index) {
  constexpr LongWord words[20] = {0,
                                  0xa2f9836e4e441529ULL,
                                  0xfc2757d1f534ddc0ULL,
                                  0xdb6295993c439041ULL,
                                  0xfe5163abdebbc561ULL,
                                  0xb7246e3a424dd2e0ULL,
                                  0x06492eea09d1921cULL,
                                  0xfe1deb1cb129a73eULL,
                                  0xe88235f52ebb4484ULL,
                                  0xe99c7026b45f7e41ULL,
                                  0x3991d639835339f4ULL,
                                  0x9c845f8bbdf9283bULL,
                                  0x1ff897ffde05980fULL,
                                  0xef2f118b5a0a6d1fULL,
                                  0x6d367ecf27cb09b7ULL,
                                  0x4f463f669e5fea2dULL,
                                  0x7527bac7ebe5f17bULL,
                                  0x3d0739f78a5292eaULL,
                                  0x6bfb5fb11f8d5d08ULL,
                                  0x56033046fc7b6babULL};
  LongWord chosen = 0;
  for (Word i = 1; i < 20; ++i) chosen = index == i ? words[i] : chosen;
  return chosen;
}
struct LongTurns {
  LongWord high;  ///< quarter turns modulo 4, 62 fraction bits
  LongWord low;   ///< 64 more
};
TESLASIM_DEVICE LongTurns turns_of(Double a) {
  const LongWord significand = (bits_of(a) & 0xfffffffffffffULL) | 0x10000000000000ULL;
  // a = significand 2^(field - 1075); the bits of 2/pi from 2^1 down are wanted.
  const Word first = static_cast<Word>(bits_of(a) >> 52U) - 1013U;
  const Word index = first >> 6U;
  const Word offset = first & 63U;
  LongWord window[4];
  for (Word i = 0; i < 4; ++i) window[i] = long_two_over_pi(index + i);
  for (Word i = 0; i < 3 && offset != 0; ++i) window[i] = window[i] << offset | window[i + 1] >> (64U - offset);
  const LongWord middle = significand * window[1];
  const LongWord low = middle + upper_product(significand, window[2]);
  const LongWord carry = low < middle ? 1 : 0;
  return {significand * window[0] + upper_product(significand, window[1]) + carry, low};
}
TESLASIM_DEVICE ReducedDoubleAngle far_angle(Double x) {
  const LongTurns turns = turns_of(absolute(x));
  const LongWord rounded = turns.high + (1ULL << 61U);
  LongTurns rest{(rounded & ((1ULL << 62U) - 1)) - (1ULL << 61U), turns.low};
  const bool below = rest.high >> 63U != 0;
  if (below) rest = {~rest.high + (rest.low == 0 ? 1U : 0U), 0 - rest.low};
  const int zeros = rest.high != 0 ? leading_zeros(rest.high) : 64 + leading_zeros(rest.low | 1U);
  const auto shift = static_cast<Word>(zeros & 63);
  const LongWord upper = rest.high != 0 ? rest.high : rest.low;
  const LongWord lower = rest.high != 0 ? rest.low : 0;
  const LongWord significand = shift == 0 ? upper : upper << shift | lower >> (64U - shift);
  const LongWord angle = upper_product(significand, 0xc90fdaa22168c234ULL);  // pi/2 2^63
  const Double unit = double_power_of_two(-61 - zeros);
  const Double high = static_cast<double>(angle & ~0x7ffULL) * unit;
  const Double low = static_cast<double>(angle & 0x7ffULL) * unit;
  const bool negative = below != (sign_bit(x) != 0);
  const Word quadrant = static_cast<Word>(rounded >> 62U);
  return {{negative ? -high : high, negative ? -low : low}, sign_bit(x) != 0 ? 0 - quadrant : quadrant};
}
TESLASIM_DEVICE ReducedDoubleAngle reduced_angle(Double x) {
  if (absolute(x) < 100000.0) return near_angle(x);
  if (is_nan(x) || is_infinite(x)) return {{undefined_double(), 0.0}, 0};
  return far_angle(x);
}

TESLASIM_DEVICE Double sine_of_rest(DoublePair rest) {
  const Double z = rest.high * rest.high;
  return rest.high + fma_of(rest.high * z, sine_series(z), rest.low);
}
TESLASIM_DEVICE Double cosine_of_rest(DoublePair rest) {
  const Double z = rest.high * rest.high;
  const DoublePair sum = ordered_sum(1.0, -0.5 * z);
  return sum.high + (sum.low + fma_of(z * z, cosine_series(z), -(rest.high * rest.low)));
}
TESLASIM_DEVICE Double sine_of(const ReducedDoubleAngle& angle, Word quarters) {
  const Word quadrant = angle.quadrant + quarters;
  const Double value = (quadrant & 1U) != 0 ? cosine_of_rest(angle.rest) : sine_of_rest(angle.rest);
  return (quadrant & 2U) != 0 ? -value : value;
}
TESLASIM_DEVICE Double sin(Double x) {
  return absolute(x) < 1.0e-9 ? x : sine_of(reduced_angle(x), 0);
}
TESLASIM_DEVICE Double cos(Double x) {
  return sine_of(reduced_angle(x), 1);
}
TESLASIM_DEVICE void sincos(Double x, Double& sine, Double& cosine) {
  sine = sin(x);
  cosine = cos(x);
}
TESLASIM_DEVICE Double tan(Double x) {
  if (absolute(x) < 1.0e-9) return x;
  const ReducedDoubleAngle angle = reduced_angle(x);
  const Double r = angle.rest.high;
  const Double z = r * r;
  const Double tangent = r + fma_of(r, z * tangent_series(z), fma_of(angle.rest.low, z, angle.rest.low));
  return (angle.quadrant & 1U) != 0 ? divide(-1.0, tangent) : tangent;
}

/// asin(a) - a for 0 <= a <= 1/2.
TESLASIM_DEVICE Double arc_sine_correction(Double a) {
  const Double z = a * a;
  return a * z * arc_sine_series(z);
}
/// 2 asin(sqrt((1 - a)/2)) in two parts.
TESLASIM_DEVICE DoublePair twice_arc_sine_of_root(Double a) {
  const Double z = 0.5 - 0.5 * a;
  const Double root = sqrt(z);
  const Double lost = z == 0.0 ? 0.0 : divide(fma_of(-root, root, z), root + root);
  return {root + root, 2.0 * (lost + arc_sine_correction(root))};
}
TESLASIM_DEVICE Double asin(Double x) {
  const Double a = absolute(x);
  if (is_nan(x) || a > 1.0) return undefined_double();
  if (a <= 0.5) return a < 1.0e-9 ? x : x + with_sign(arc_sine_correction(a), x);
  const DoublePair rest = twice_arc_sine_of_root(a);
  const DoublePair sum = exact_sum(1.5707963267948966, -rest.high);
  return with_sign(sum.high + (sum.low + (6.123233995736766e-17 - rest.low)), x);
}
TESLASIM_DEVICE Double acos(Double x) {
  const Double a = absolute(x);
  if (is_nan(x) || a > 1.0) return undefined_double();
  if (a <= 0.5) {
    const DoublePair sum = exact_sum(1.5707963267948966, -x);
    return sum.high + (sum.low + (6.123233995736766e-17 - with_sign(arc_sine_correction(a), x)));
  }
  const DoublePair rest = twice_arc_sine_of_root(a);
  if (sign_bit(x) == 0) return rest.high + rest.low;
  const DoublePair sum = exact_sum(3.1415926535897931, -rest.high);
  return sum.high + (sum.low + (1.2246467991473532e-16 - rest.low));
}

enum class ArcOctant { lower, upper };
/// atan(t) for 0 <= t <= 1, or its complement to pi/2.
TESLASIM_DEVICE DoublePair arc_tangent_of(Double t, ArcOctant octant) {
  const Double z = t * t;
  const Double correction = t * z * arc_tangent_series(z);
  if (octant == ArcOctant::lower) return {t, correction};
  const DoublePair sum = ordered_sum(1.5707963267948966, -t);
  return {sum.high, sum.low + (6.123233995736766e-17 - correction)};
}
TESLASIM_DEVICE Double atan(Double x) {
  const Double a = absolute(x);
  if (is_nan(x) || a < 1.0e-9) return x;
  const DoublePair angle =
      a > 1.0 ? arc_tangent_of(divide(1.0, a), ArcOctant::upper) : arc_tangent_of(a, ArcOctant::lower);
  return with_sign(angle.high + angle.low, x);
}
TESLASIM_DEVICE Double quotient_of_magnitudes(Double small, Double large) {
  if (small == 0.0) return 0.0;
  return small == large ? 1.0 : divide(small, large);
}
TESLASIM_DEVICE Double atan2(Double y, Double x) {
  if (is_nan(x) || is_nan(y)) return undefined_double();
  const Double a = absolute(x);
  const Double b = absolute(y);
  const bool steep = b > a;
  const Double t = steep ? quotient_of_magnitudes(a, b) : quotient_of_magnitudes(b, a);
  const DoublePair angle = arc_tangent_of(t, steep ? ArcOctant::upper : ArcOctant::lower);
  if (sign_bit(x) == 0) return with_sign(angle.high + angle.low, y);
  const DoublePair sum = ordered_sum(3.1415926535897931, -angle.high);
  return with_sign(sum.high + (sum.low + (1.2246467991473532e-16 - angle.low)), y);
}

/// erfc(a) for a >= 1 (Shepherd & Laframboise 1981).
TESLASIM_DEVICE Double large_complement(Double a) {
  if (a > 27.5) return 0.0;
  const DoublePair square = exact_product(a, a);
  const Double q = divide(a - 4.0, a + 4.0);
  const Double ratio = divide(complement_series(q), fma_of(2.0, a, 1.0));
  return exp(-square.high) * fma_of(-ratio, square.low, ratio);
}
TESLASIM_DEVICE Double erf(Double x) {
  const Double a = absolute(x);
  if (is_nan(x)) return x;
  if (a <= 1.0) return fma_of(x, error_series(x * x), x);
  return with_sign(1.0 - large_complement(a), x);
}
TESLASIM_DEVICE Double erfc(Double x) {
  const Double a = absolute(x);
  if (is_nan(x)) return x;
  if (a <= 1.0) return (1.0 - x) - x * error_series(x * x);
  const Double rest = large_complement(a);
  return sign_bit(x) != 0 ? 2.0 - rest : rest;
}

}  // namespace teslasim_device
