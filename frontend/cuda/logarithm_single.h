// SPDX-License-Identifier: Apache-2.0
// f32 logarithms and what is made of them: log, log2, log10, log1p, asinh, acosh, atanh.
//
// x = 2^e m with sqrt(1/2) <= m < sqrt(2); log m = f - f^2/2 + f^3 P(f) with f = m - 1, which is exact; e ln 2 in two
// parts, the first exact (Cody & Waite 1980, chapter 5; Muller 2006, section 11.4). The large terms are added last and
// without error.
#pragma once

#include "series_single.h"
#include "single.h"

namespace teslasim_device {

struct SplitFloat {
  Single significand;  ///< sqrt(1/2) .. sqrt(2)
  int exponent;
};

/// For positive finite numbers.
TESLASIM_DEVICE SplitFloat split_at_root(Single x) {
  constexpr Word root_half = 0x3f3504f3U;
  const int exponent = static_cast<int>(bits_of(x) - root_half) >> 23;
  return {float_of(bits_of(x) - (static_cast<Word>(exponent) << 23U)), exponent};
}

/// Zero, a negative number, infinity or none at all. Of these the chip's own logarithm is right, in every base.
TESLASIM_DEVICE bool has_no_logarithm(Single x) {
  constexpr Word smallest = 0x00800000U;
  return bits_of(x) - smallest >= 0x7f800000U - smallest;
}

/// log(1 + f) - f, for the f of a split significand.
TESLASIM_DEVICE Single logarithm_correction(Single f) {
  const Single square = f * f;
  return mad(square * f, logarithm_series(f), square * -0.5F);
}

/// e ln 2 + log(1 + f) + `small`.
TESLASIM_DEVICE Single assembled_logarithm(int exponent, Single f, Single small) {
  const Single e = static_cast<float>(exponent);
  const SinglePair sum = exact_sum(e * 0.693115234F, f);
  return sum.high + (sum.low + (mad(e, 3.19461849e-05F, small) + logarithm_correction(f)));
}

TESLASIM_DEVICE Single logf(Single x) {
  if (has_no_logarithm(x)) return hardware_log2(x.value);
  const SplitFloat split = split_at_root(x);
  return assembled_logarithm(split.exponent, split.significand - 1.0F, 0.0F);
}

TESLASIM_DEVICE Single log2f(Single x) {
  if (has_no_logarithm(x)) return hardware_log2(x.value);
  const SplitFloat split = split_at_root(x);
  const Single f = split.significand - 1.0F;
  const Single m = f + logarithm_correction(f);
  const Single low = mad(m, 1.92596303e-08F, m * 1.44269502F);
  return static_cast<float>(split.exponent) + low;
}

TESLASIM_DEVICE Single log10f(Single x) {
  if (has_no_logarithm(x)) return hardware_log2(x.value);
  const SplitFloat split = split_at_root(x);
  const Single f = split.significand - 1.0F;
  const Single m = f + logarithm_correction(f);
  const Single e = static_cast<float>(split.exponent);
  return mad(e, 0.301025391F, mad(e, 4.60503898e-06F, m * 0.434294492F));
}

/// log(1 + x): where 1 + x is rounded, what was lost over the sum is added to the logarithm (Goldberg 1991, theorem 4,
/// in its additive form).
TESLASIM_DEVICE Single log1pf(Single x) {
  if (x > -0.29F && x < 0.41F) return is_zero(x) ? x : x + logarithm_correction(x);
  if (x == -1.0F) return -infinity();
  if (is_nan(x) || x < -1.0F) return not_a_number();
  if (is_infinite(x)) return x;
  const SinglePair sum = exact_sum(1.0F, x);
  const SplitFloat split = split_at_root(sum.high);
  return assembled_logarithm(split.exponent, split.significand - 1.0F, sum.low * reciprocal(sum.high));
}

/// log(2) + log(x) for x beyond 2^24 or so.
TESLASIM_DEVICE Single logarithm_of_twice(Single x) {
  const SplitFloat split = split_at_root(x);
  return assembled_logarithm(split.exponent + 1, split.significand - 1.0F, 0.0F);
}

/// Root of a sum of two squares or the like, to about one unit: a step of Newton's method after rsqrt.
TESLASIM_DEVICE Single refined_root(Single x) {
  const Single inverse = reciprocal_root(x);
  const Single root = x * inverse;
  const SinglePair square = exact_product(root, root);
  return is_zero(x) ? x : mad((x - square.high) - square.low, 0.5F * inverse, root);
}

/// log1p(a + a^2/(1 + sqrt(1 + a^2))) (Abramowitz & Stegun 1964, 4.6.20, rearranged to keep the digits of small a).
TESLASIM_DEVICE Single asinhf(Single x) {
  const Single a = absolute(x);
  if (is_nan(x) || is_infinite(x) || is_zero(x)) return x;
  if (a > 1.0e9F) return with_sign(logarithm_of_twice(a), x);
  const Single square = a * a;
  const Single grown = a + square * reciprocal(1.0F + refined_root(1.0F + square));
  return with_sign(log1pf(grown), x);
}

/// log1p(t + sqrt(2t + t^2)) with t = x - 1 (Abramowitz & Stegun 1964, 4.6.21).
TESLASIM_DEVICE Single acoshf(Single x) {
  if (is_nan(x) || x < 1.0F) return not_a_number();
  if (is_infinite(x)) return x;
  if (x > 1.0e9F) return logarithm_of_twice(x);
  const Single t = x - 1.0F;
  return log1pf(t + refined_root(mad(t, t, t + t)));
}

/// log1p(2a/(1 - a))/2 (Abramowitz & Stegun 1964, 4.6.22).
TESLASIM_DEVICE Single atanhf(Single x) {
  const Single a = absolute(x);
  if (is_zero(x)) return x;
  if (is_nan(x) || a > 1.0F) return not_a_number();
  if (a == 1.0F) return with_sign(infinity(), x);
  const Single twice = a + a;
  const Single ratio = mad(twice * a, reciprocal(1.0F - a), twice);  // 2a + 2a^2/(1 - a): small a keeps its digits
  return with_sign(0.5F * log1pf(ratio), x);
}

}  // namespace teslasim_device
