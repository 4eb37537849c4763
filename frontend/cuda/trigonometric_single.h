// SPDX-License-Identifier: Apache-2.0
// f32 sin, cos, tan, asin, acos, atan, atan2.
//
// The operand is reduced to r + n pi/2, |r| <= pi/4: with pi/2 in four parts of which n times the first three is exact
// (Cody & Waite 1980, chapter 8), and beyond 12000 by multiplying with as many bits of 2/pi as matter (Payne & Hanek
// 1983). Then polynomials on r, with the low part of r added at the end.
#pragma once

#include "logarithm_single.h"
#include "power_single.h"
#include "series_single.h"
#include "single.h"

namespace teslasim_device {

struct ReducedAngle {
  SinglePair rest;
  Word quadrant;  ///< modulo 4
};

TESLASIM_DEVICE ReducedAngle near_angle(Single x) {
  const Single n = nearest(x * 0.636619747F);
  const Single exact = mad(n, -0.000483751297F, mad(n, -1.5703125F, x));
  const SinglePair rest = exact_sum(exact, n * -7.54953362e-08F);
  const SinglePair whole = exact_sum(rest.high, n * -2.56334415e-12F);
  return {{whole.high, whole.low + rest.low}, static_cast<Word>(static_cast<int>(n.value))};
}

/// 32 bits of 2/pi, counted from 1/4 in words; word 0 is zero.
TESLASIM_DEVICE Word two_over_pi(Word index) {
  constexpr Word words[8] = {0x00000000U, 0xa2f9836eU, 0x4e441529U, 0xfc2757d1U,
                             0xf534ddc0U, 0xdb629599U, 0x3c439041U, 0xfe5163abU};
  // Chosen by comparison: a table in memory would cost a load per word.
  Word chosen = words[0];
  for (Word i = 1; i < 8; ++i) chosen = index == i ? words[i] : chosen;
  return chosen;
}

/// x / (pi/2) modulo 4 as a fixed-point number with 62 fraction bits.
TESLASIM_DEVICE LongWord turns_of(Word bits) {
  const Word significand = (bits & 0x7fffffU) | 0x800000U;
  // x = significand 2^shift; the product's bits from 2^1 down are wanted, so 2/pi from 2^(1 - shift) down.
  const Word first = ((bits >> 23U) & 0xffU) - 150U + 30U;
  const Word index = first >> 5U;
  const Word offset = first & 31U;
  const LongWord high = (static_cast<LongWord>(two_over_pi(index)) << 32U) | two_over_pi(index + 1);
  const LongWord low = (static_cast<LongWord>(two_over_pi(index + 2)) << 32U) | two_over_pi(index + 3);
  const LongWord upper = offset == 0 ? high : (high << offset) | (low >> (64U - offset));
  const LongWord next = low << offset;
  return upper * significand + ((next >> 32U) * significand >> 32U);
}

/// A magnitude in units of 2^-62 quarter turns as an angle.
TESLASIM_DEVICE SinglePair angle_of(LongWord turns) {
  if (turns == 0) return {0.0F, 0.0F};
  const int zeros = leading_zeros(turns);
  const LongWord significand = (turns << static_cast<Word>(zeros)) >> 32U;
  const LongWord product =
      significand * 0xc90fdaa2U;  // pi/2 2^31, so the product is an angle in units of 2^-(61 + zeros)
  const Word top = static_cast<Word>(product >> 40U);
  const Word below = static_cast<Word>(product >> 16U) & 0xffffffU;
  const Single unit = power_of_two(-21 - zeros);
  return {static_cast<float>(top) * unit, static_cast<float>(below) * power_of_two(-24) * unit};
}

TESLASIM_DEVICE ReducedAngle far_angle(Single x) {
  const LongWord turns = turns_of(bits_of(x) & 0x7fffffffU);
  const LongWord rounded = turns + (1ULL << 61U);
  const LongWord rest = (rounded & ((1ULL << 62U) - 1)) - (1ULL << 61U);
  const bool below = (rest >> 63U) != 0;
  const SinglePair angle = angle_of(below ? 0 - rest : rest);
  const Word quadrant = static_cast<Word>(rounded >> 62U);
  const bool negative = sign_bit(x) != 0;
  if (below != negative) return {{-angle.high, -angle.low}, negative ? 0 - quadrant : quadrant};
  return {angle, negative ? 0 - quadrant : quadrant};
}

TESLASIM_DEVICE ReducedAngle reduced_angle(Single x) {
  const Single a = absolute(x);
  if (a < 12000.0F) return near_angle(x);
  if (is_nan(x) || is_infinite(x)) return {{not_a_number(), 0.0F}, 0};
  return far_angle(x);
}

TESLASIM_DEVICE Single sine_of_rest(SinglePair rest) {
  const Single z = rest.high * rest.high;
  return rest.high + mad(rest.high * z, sine_series(z), rest.low);
}
TESLASIM_DEVICE Single cosine_of_rest(SinglePair rest) {
  const Single z = rest.high * rest.high;
  const Single half = z * 0.5F;
  const SinglePair sum = ordered_sum(1.0F, -half);
  return sum.high + (sum.low + mad(z * z, cosine_series(z), -(rest.high * rest.low)));
}

TESLASIM_DEVICE Single sine_of(const ReducedAngle& angle, Word quarters) {
  const Word quadrant = angle.quadrant + quarters;
  const Single value = (quadrant & 1U) != 0 ? cosine_of_rest(angle.rest) : sine_of_rest(angle.rest);
  return (quadrant & 2U) != 0 ? -value : value;
}

TESLASIM_DEVICE Single sinf(Single x) {
  return is_zero(x) ? x : sine_of(reduced_angle(x), 0);
}
TESLASIM_DEVICE Single cosf(Single x) {
  return sine_of(reduced_angle(x), 1);
}
TESLASIM_DEVICE void sincosf(Single x, Single& sine, Single& cosine) {
  const ReducedAngle angle = reduced_angle(x);
  sine = is_zero(x) ? x : sine_of(angle, 0);
  cosine = sine_of(angle, 1);
}

TESLASIM_DEVICE Single tanf(Single x) {
  if (is_zero(x)) return x;
  const ReducedAngle angle = reduced_angle(x);
  const Single r = angle.rest.high;
  const Single z = r * r;
  const Single series = z * tangent_series(z);
  // tan(r + low) = tan r + low (1 + tan^2 r)
  const Single tangent = r + mad(r, series, mad(angle.rest.low, z, angle.rest.low));
  return (angle.quadrant & 1U) != 0 ? -reciprocal(tangent) : tangent;
}

/// asin(a) for 0 <= a <= 1/2.
TESLASIM_DEVICE Single small_arc_sine(Single a) {
  const Single z = a * a;
  return mad(a * z, arc_sine_series(z), a);
}

/// Above 1/2: pi/2 - 2 asin(sqrt((1 - a)/2)) (Cody & Waite 1980, chapter 10).
TESLASIM_DEVICE Single asinf(Single x) {
  const Single a = absolute(x);
  if (is_zero(x)) return x;
  if (is_nan(x) || a > 1.0F) return not_a_number();
  if (a <= 0.5F) return with_sign(small_arc_sine(a), x);
  const Single rest = small_arc_sine(refined_root(mad(a, -0.5F, 0.5F)));
  return with_sign(1.57079637F - (rest + rest), x);
}

TESLASIM_DEVICE Single acosf(Single x) {
  const Single a = absolute(x);
  if (is_nan(x) || a > 1.0F) return not_a_number();
  if (a <= 0.5F) {
    const Single angle = is_zero(x) ? x : with_sign(small_arc_sine(a), x);
    return 1.57079637F - angle;
  }
  const Single rest = small_arc_sine(refined_root(mad(a, -0.5F, 0.5F)));
  const Single twice = rest + rest;
  return sign_bit(x) != 0 ? 3.14159274F - twice : twice;
}

enum class ArcPart { itself, complement };

/// atan(t) for 0 <= t <= 1, or its complement to pi/2.
TESLASIM_DEVICE Single arc_tangent_of(Single t, ArcPart part) {
  const Single z = t * t;
  const Single correction = t * z * arc_tangent_series(z);
  if (part == ArcPart::itself) return t + correction;
  const SinglePair sum = ordered_sum(1.57079637F, -t);
  return sum.high + (sum.low - (correction + 4.37113883e-08F));
}

/// Above 1: pi/2 - atan(1/x) (Cody & Waite 1980, chapter 11).
TESLASIM_DEVICE Single atanf(Single x) {
  const Single a = absolute(x);
  if (is_nan(x) || is_zero(x)) return x;
  const bool large = a > 1.0F;
  return with_sign(arc_tangent_of(large ? reciprocal(a) : a, large ? ArcPart::complement : ArcPart::itself), x);
}

/// The quotient of the smaller by the larger, which are positive or zero.
TESLASIM_DEVICE Single quotient_of_magnitudes(Single small, Single large) {
  if (is_zero(small)) return 0.0F;
  return small == large ? Single(1.0F) : divide(small, large);
}

/// The angle of (x, y): as atan in the first octants, then mirrored at the y axis.
TESLASIM_DEVICE Single atan2f(Single y, Single x) {
  if (is_nan(x) || is_nan(y)) return not_a_number();
  const Single a = absolute(x);
  const Single b = absolute(y);
  const bool steep = b > a;
  const Single t = steep ? quotient_of_magnitudes(a, b) : quotient_of_magnitudes(b, a);
  Single angle = arc_tangent_of(t, steep ? ArcPart::complement : ArcPart::itself);
  if (sign_bit(x) != 0) {
    const SinglePair sum = ordered_sum(3.14159274F, -angle);
    angle = sum.high + (sum.low - 8.74227766e-08F);
  }
  return with_sign(angle, y);
}

}  // namespace teslasim_device
