// SPDX-License-Identifier: Apache-2.0
// f32 exponentials: exp, exp2, exp10, expm1, sinh, cosh, tanh.
//
// exp(x) = 2^n exp(r) with r = x - n ln 2, where ln 2 is held in two parts so that n times the first is exact (Cody &
// Waite 1980, chapter 6). exp(r) is a polynomial for the functions that need exp(r) - 1, the chip's ex2 for the others.
#pragma once

#include "series_single.h"
#include "single.h"

namespace teslasim_device {

struct ReducedExponent {
  Single rest;
  int power;
};

/// x beyond +-limit is taken for it: there results are infinite or zero anyway. NaN stays.
TESLASIM_DEVICE Single within(Single x, Single limit) {
  const Single below = x > limit ? limit : x;
  return below < -limit ? -limit : below;
}

TESLASIM_DEVICE int whole_of(Single n) {
  return static_cast<int>(is_nan(n) ? 0.0F : n.value);
}

TESLASIM_DEVICE ReducedExponent reduced_exponent(Single x) {
  const Single n = nearest(x * 1.44269502F);
  return {mad(n, -3.19461849e-05F, mad(n, -0.693115234F, x)), whole_of(n)};
}

/// exp(r) - 1 for |r| <= ln(2)/2 as r + correction.
TESLASIM_DEVICE Single exponential_correction(Single r) {
  const Single square = r * r;
  return mad(square * r, exponential_series(r), square * 0.5F);
}

/// exp(r) for |r| <= ln(2)/2. The chip's ex2 would be shorter, but its fixed-point operand alone costs more than a
/// unit.
TESLASIM_DEVICE Single small_exponential(Single r) {
  return 1.0F + (r + exponential_correction(r));
}
/// exp(x) within a unit, for functions that lose digits of it.
TESLASIM_DEVICE Single precise_exponential(Single x) {
  const ReducedExponent e = reduced_exponent(within(x, 120.0F));
  return scaled(small_exponential(e.rest), e.power);
}

/// The chip's own, as nvcc makes it: 48 SP cycles, two per SP cycle (Wong et al. 2010, recollected), and 2 units (CUDA
/// programming guide 2.x).
TESLASIM_DEVICE Single exp2f(Single x) {
  return hardware_exp2(x.value);
}

/// The product of two of the chip's powers, as nvcc makes it (NVIDIA 2009, math_functions.h): 2^n and 2^f of x = (n +
/// f) ln 2. Here 0 <= f < 1, so that what `pre.ex2` cuts off is at most 0.7 units.
TESLASIM_DEVICE Single expf(Single x) {
  const Single n = __builtin_floorf((x * 1.44269502F).value);
  const Single rest = mad(n, -3.19461849e-05F, mad(n, -0.693115234F, x));
  const Single value = exp2f(rest * 1.44269502F) * exp2f(n);
  const Single below = x > 105.0F ? infinity() : value;
  return x < -105.0F ? Single(0.0F) : below;
}

/// The same for 10: x = (n + f) log10(2).
TESLASIM_DEVICE Single exp10f(Single x) {
  const Single n = __builtin_floorf((x * 3.32192802F).value);
  const Single rest = mad(n, -4.60503898e-06F, mad(n, -0.301025391F, x));
  const Single value = exp2f(rest * 3.32192802F) * exp2f(n);
  const Single below = x > 46.0F ? infinity() : value;
  return x < -46.0F ? Single(0.0F) : below;
}

TESLASIM_DEVICE Single expm1f(Single x) {
  const ReducedExponent e = reduced_exponent(within(x, 120.0F));
  const Single correction = exponential_correction(e.rest);
  if (e.power == 0) return is_zero(x) ? x : e.rest + correction;
  if (e.power > 30) return scaled(1.0F + (e.rest + correction), e.power);
  if (e.power < -30) return -1.0F;
  // 2^n (1 + r + c) - 1 = (2^n - 1) + 2^n (r + c), the first difference exact up to n = 24
  const Single factor = power_of_two(e.power);
  const SinglePair sum = exact_sum(factor - 1.0F, factor * e.rest);
  const Single below = e.power > 24 ? Single(-1.0F) - ((factor - 1.0F) - factor) : Single(0.0F);
  return sum.high + (sum.low + mad(factor, correction, below));
}

/// exp(x)/2 for x >= 0, without overflow where the half is finite; the pair holds it to about 30 bits.
TESLASIM_DEVICE SinglePair half_exponential(Single x) {
  const ReducedExponent e = reduced_exponent(x > 120.0F ? Single(120.0F) : x);
  const Single correction = exponential_correction(e.rest);
  const SinglePair first = ordered_sum(1.0F, e.rest);
  const SinglePair sum = ordered_sum(first.high, first.low + correction);
  return {scaled(sum.high, e.power - 1), scaled(sum.low, e.power - 1)};
}

/// The series below 1; above it exp(a)/2 - 1/(4 exp(a)/2).
TESLASIM_DEVICE Single sinhf(Single x) {
  const Single a = absolute(x);
  if (a < 1.0F) {
    const Single z = x * x;
    return is_zero(x) ? x : mad(x * z, hyperbolic_sine_series(z), x);
  }
  const SinglePair half = half_exponential(a);
  const Single value = a > 10.0F ? half.high : half.high + (half.low - 0.25F * reciprocal(half.high));
  return is_nan(x) ? x : with_sign(value, x);
}

TESLASIM_DEVICE Single coshf(Single x) {
  const Single a = absolute(x);
  const SinglePair half = half_exponential(a);
  const Single value = a > 10.0F ? half.high : half.high + (half.low + 0.25F * reciprocal(half.high));
  return is_nan(x) ? x : value;
}

/// The series below 0.55; above it 1 - 2/(exp(2a) + 1).
TESLASIM_DEVICE Single tanhf(Single x) {
  const Single a = absolute(x);
  if (a < 0.55F) {
    const Single z = x * x;
    return is_zero(x) ? x : mad(x * z, hyperbolic_tangent_series(z), x);
  }
  const Single power = precise_exponential(a + a);
  const Single value = mad(-2.0F, reciprocal(power + 1.0F), 1.0F);
  return is_nan(x) ? x : with_sign(a > 10.0F ? Single(1.0F) : value, x);
}

}  // namespace teslasim_device
