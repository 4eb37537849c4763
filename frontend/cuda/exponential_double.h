// SPDX-License-Identifier: Apache-2.0
// f64 exp, exp2, exp10, expm1, sinh, cosh, tanh; log, log2, log10, log1p, asinh, acosh, atanh; pow, cbrt, hypot. The
// ways are those of the f32 functions (Cody & Waite 1980), with fma where f32 needs products in two parts.
#pragma once

#include "double.h"
#include "series_double.h"

namespace teslasim_device {

struct ReducedDouble {
  DoublePair rest;
  int power;
};
TESLASIM_DEVICE Double within(Double x, Double limit) {
  const Double below = x > limit ? limit : x;
  return below < -limit ? -limit : below;
}
TESLASIM_DEVICE int whole_of(Double n) {
  return is_nan(n) ? 0 : static_cast<int>(n);
}
TESLASIM_DEVICE ReducedDouble reduced_exponent(Double x) {
  const Double n = __builtin_rint(x * 1.4426950408889634);
  const Double rest = fma_of(n, -0.69314718055920821, x);
  const DoublePair sum = exact_sum(rest, n * -7.3710025651677989e-13);
  return {sum, whole_of(n)};
}
/// exp(r) - 1 - r.
TESLASIM_DEVICE Double exponential_correction(Double r) {
  const Double square = r * r;
  return fma_of(square * r, exponential_series(r), square * 0.5);
}
TESLASIM_DEVICE Double small_exponential(DoublePair r) {
  return 1.0 + (r.high + (r.low + exponential_correction(r.high)));
}

TESLASIM_DEVICE Double exp(Double x) {
  const ReducedDouble e = reduced_exponent(within(x, 800.0));
  return scaled(small_exponential(e.rest), e.power);
}
TESLASIM_DEVICE Double exp2(Double x) {
  const Double clamped = within(x, 1200.0);
  const Double n = __builtin_rint(clamped);
  return scaled(small_exponential(exact_product(clamped - n, 0.69314718055994529)), whole_of(n));
}
TESLASIM_DEVICE Double exp10(Double x) {
  const Double clamped = within(x, 400.0);
  const Double n = __builtin_rint(clamped * 3.3219280948873622);
  const DoublePair rest = exact_sum(fma_of(n, -0.30102999566361177, clamped), n * -3.6942390771589308e-13);
  const DoublePair r = exact_product(rest.high, 2.3025850929940459);
  const Double low = fma_of(rest.high, -2.1707562233822494e-16, fma_of(rest.low, 2.3025850929940459, r.low));
  return scaled(small_exponential({r.high, low}), whole_of(n));
}

TESLASIM_DEVICE Double expm1(Double x) {
  if (x == 0.0) return x;
  const ReducedDouble e = reduced_exponent(within(x, 800.0));
  const Double correction = e.rest.low + exponential_correction(e.rest.high);
  if (e.power == 0) return e.rest.high + correction;
  if (e.power > 60) return scaled(1.0 + (e.rest.high + correction), e.power);
  if (e.power < -60) return -1.0;
  const Double factor = double_power_of_two(e.power);
  const DoublePair start = exact_sum(factor, -1.0);
  const DoublePair sum = exact_sum(start.high, factor * e.rest.high);
  return sum.high + (sum.low + fma_of(factor, correction, start.low));
}

/// exp(x)/2 for x >= 0 in two parts.
TESLASIM_DEVICE DoublePair half_exponential(Double x) {
  const ReducedDouble e = reduced_exponent(x > 800.0 ? 800.0 : x);
  const DoublePair first = ordered_sum(1.0, e.rest.high);
  const DoublePair sum = ordered_sum(first.high, first.low + (e.rest.low + exponential_correction(e.rest.high)));
  return {scaled(sum.high, e.power - 1), scaled(sum.low, e.power - 1)};
}
TESLASIM_DEVICE Double sinh(Double x) {
  const Double a = absolute(x);
  if (is_nan(x)) return x;
  if (a < 1.0) {
    const Double z = x * x;
    return fma_of(x * z, hyperbolic_sine_series(z), x);
  }
  const DoublePair half = half_exponential(a);
  return with_sign(a > 20.0 ? half.high : half.high + (half.low - divide(0.25, half.high)), x);
}
TESLASIM_DEVICE Double cosh(Double x) {
  const Double a = absolute(x);
  if (is_nan(x)) return x;
  const DoublePair half = half_exponential(a);
  return a > 20.0 ? half.high : half.high + (half.low + divide(0.25, half.high));
}
/// The series below 0.55; above it 1 - 2/(exp(2a) + 1).
TESLASIM_DEVICE Double tanh(Double x) {
  const Double a = absolute(x);
  if (is_nan(x) || a < 1.0e-9) return x;
  if (a > 20.0) return with_sign(1.0, x);
  const Double z = x * x;
  if (a < 0.55) return fma_of(x * z, hyperbolic_tangent_series(z), x);
  return with_sign(1.0 - divide(2.0, exp(a + a) + 1.0), x);
}

// --- logarithms

/// Significand in sqrt(1/2) .. sqrt(2).
TESLASIM_DEVICE SplitDouble split_at_root(Double x) {
  const SplitDouble split = split_double(x);
  const bool upper = split.significand > 1.4142135623730951;
  return {upper ? 0.5 * split.significand : split.significand, upper ? split.exponent + 1 : split.exponent};
}
/// log(1 + f) - f = -h + s (h + 2 z P(z)), h = f^2/2, s = f/(2 + f), z = s^2.
TESLASIM_DEVICE Double logarithm_correction(Double f) {
  const Double half = 0.5 * f * f;
  const Double s = divided_significands(f, 2.0 + f);
  const Double z = s * s;
  return fma_of(s, fma_of(z + z, ratio_series(z), half), -half);
}
TESLASIM_DEVICE bool is_logarithm_special(Double x) {
  return !(x > 0.0) || is_infinite(x);
}
TESLASIM_DEVICE Double special_logarithm(Double x) {
  if (x == 0.0) return -infinite_double();
  return x > 0.0 ? x : undefined_double();
}
TESLASIM_DEVICE Double assembled_logarithm(int exponent, Double f, Double small) {
  const auto e = static_cast<double>(exponent);
  const DoublePair sum = exact_sum(e * 0.69314718055920821, f);
  return sum.high + (sum.low + (fma_of(e, 7.3710025651677989e-13, small) + logarithm_correction(f)));
}
TESLASIM_DEVICE Double log(Double x) {
  if (is_logarithm_special(x)) return special_logarithm(x);
  const SplitDouble split = split_at_root(x);
  return assembled_logarithm(split.exponent, split.significand - 1.0, 0.0);
}
/// log(m) in two parts, times a constant in two parts, plus a multiple of the exponent.
TESLASIM_DEVICE DoublePair scaled_logarithm(Double f, Double high, Double low) {
  const DoublePair sum = ordered_sum(f, logarithm_correction(f));
  const DoublePair product = exact_product(sum.high, high);
  return {product.high, product.low + fma_of(sum.high, low, sum.low * high)};
}
TESLASIM_DEVICE Double log2(Double x) {
  if (is_logarithm_special(x)) return special_logarithm(x);
  const SplitDouble split = split_at_root(x);
  const DoublePair m = scaled_logarithm(split.significand - 1.0, 1.4426950408889634, 2.0355273740931033e-17);
  const DoublePair sum = exact_sum(static_cast<double>(split.exponent), m.high);
  return sum.high + (sum.low + m.low);
}
TESLASIM_DEVICE Double log10(Double x) {
  if (is_logarithm_special(x)) return special_logarithm(x);
  const SplitDouble split = split_at_root(x);
  const auto e = static_cast<double>(split.exponent);
  const DoublePair m = scaled_logarithm(split.significand - 1.0, 0.43429448190325182, 1.0983196502167651e-17);
  const DoublePair sum = exact_sum(e * 0.30102999566361177, m.high);
  return sum.high + (sum.low + fma_of(e, 3.6942390771589308e-13, m.low));
}
TESLASIM_DEVICE Double log1p(Double x) {
  if (x > -0.29 && x < 0.41) return absolute(x) < 1.0e-20 ? x : x + logarithm_correction(x);
  if (x == -1.0) return -infinite_double();
  if (is_nan(x) || x < -1.0) return undefined_double();
  if (is_infinite(x)) return x;
  const DoublePair sum = exact_sum(1.0, x);
  const SplitDouble split = split_at_root(sum.high);
  return assembled_logarithm(split.exponent, split.significand - 1.0, divide(sum.low, sum.high));
}

TESLASIM_DEVICE Double logarithm_of_twice(Double x) {
  const SplitDouble split = split_at_root(x);
  return assembled_logarithm(split.exponent + 1, split.significand - 1.0, 0.0);
}
TESLASIM_DEVICE Double asinh(Double x) {
  const Double a = absolute(x);
  if (is_nan(x) || is_infinite(x) || a < 1.0e-9) return x;
  if (a > 1.0e18) return with_sign(logarithm_of_twice(a), x);
  const Double square = a * a;
  return with_sign(log1p(a + divide(square, 1.0 + sqrt(1.0 + square))), x);
}
TESLASIM_DEVICE Double acosh(Double x) {
  if (is_nan(x) || x < 1.0) return undefined_double();
  if (is_infinite(x)) return x;
  if (x > 1.0e18) return logarithm_of_twice(x);
  const Double t = x - 1.0;
  return log1p(t + sqrt(fma_of(t, t, t + t)));
}
TESLASIM_DEVICE Double atanh(Double x) {
  const Double a = absolute(x);
  if (is_nan(x) || a > 1.0) return undefined_double();
  if (a == 1.0) return with_sign(infinite_double(), x);
  if (a < 1.0e-9) return x;
  const Double twice = a + a;
  return with_sign(0.5 * log1p(twice + divide(twice * a, 1.0 - a)), x);
}

}  // namespace teslasim_device
