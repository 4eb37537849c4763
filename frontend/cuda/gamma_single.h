// SPDX-License-Identifier: Apache-2.0
// f32 erf, erfc, lgamma, tgamma.
#pragma once

#include "exponential_single.h"
#include "logarithm_single.h"
#include "power_single.h"
#include "series_single.h"
#include "single.h"
#include "turns_single.h"

namespace teslasim_device {

/// erfc(a) for a >= 1: exp(-a^2)/(1 + 2a) times a polynomial in (a - 4)/(a + 4) (Shepherd & Laframboise 1981), with a^2
/// in two parts, since exp makes a relative error of an absolute one.
TESLASIM_DEVICE Single large_complement(Single a) {
  if (a > 10.5F) return 0.0F;
  const SinglePair square = exact_product(a, a);
  const Single power = precise_exponential(-square.high);
  const Single q = (a - 4.0F) * reciprocal(a + 4.0F);
  const Single ratio = complement_series(q) * reciprocal(mad(2.0F, a, 1.0F));
  return power * mad(-ratio, square.low, ratio);
}

TESLASIM_DEVICE Single erff(Single x) {
  const Single a = absolute(x);
  if (is_nan(x) || is_zero(x)) return x;
  if (a < 1.0e-10F) return x * 1.12837923F;
  if (a <= 1.0F) return mad(x, error_series(x * x), x);
  return with_sign(1.0F - large_complement(a), x);
}

TESLASIM_DEVICE Single erfcf(Single x) {
  const Single a = absolute(x);
  if (is_nan(x)) return x;
  if (a > 1.0F) {
    const Single rest = large_complement(a);
    return sign_bit(x) != 0 ? 2.0F - rest : rest;
  }
  const Single ratio = error_series(x * x);
  return (1.0F - x) - x * ratio;
}

/// log gamma(x) for x > 0: polynomials with the zeros at 1 and 2 as factors, above 3 Stirling's series (Abramowitz &
/// Stegun 1964, 6.1.41), below 1/2 log gamma(1 + x) - log x.
TESLASIM_DEVICE Single positive_log_gamma(Single x) {
  if (x < 0.5F) return mad(x, gamma_at_one_series(x), -logf(x));
  if (x < 1.5F) return mad(x - 1.0F, gamma_at_one_series(x - 1.0F), 0.0F);  // + 0: the zeros are positive
  if (x < 3.0F) return mad(x - 2.0F, gamma_at_two_series(x - 2.0F), 0.0F);
  const Single logarithm = logf(x) - 1.0F;
  if (x > 4.0e36F) return x * logarithm;  // where the parts of an exact product overflow before it does
  const Single inverse = reciprocal(x);
  const Single small = mad(inverse, stirling_series(inverse * inverse), 0.918938518F);
  const SinglePair product = exact_product(x - 0.5F, logarithm);
  return product.high + (product.low + (small - 0.5F));
}

/// Below zero: log(pi/|x sin(pi x)|) - log gamma(-x) (Abramowitz & Stegun 1964, 6.1.17).
TESLASIM_DEVICE Single lgammaf(Single x) {
  if (is_nan(x)) return x;
  if (is_infinite(x) || is_zero(x)) return infinity();
  if (sign_bit(x) == 0) return positive_log_gamma(x);
  const Single a = absolute(x);
  if (a >= 8388608.0F || nearest(a) == a) return infinity();
  if (a < 1.0e-10F) return -logf(a);
  const Single sine = absolute(sine_of_turns(a));
  if (a < 0.5F) return -mad(a, gamma_at_one_series(a), logf(sine * 0.318309873F));
  return -(logf(sine * a * 0.318309873F) + positive_log_gamma(a));
}

/// gamma(x) for 1/2 <= x < 36: brought to 3/2 .. 5/2 by its recurrence.
TESLASIM_DEVICE Single positive_gamma(Single x) {
  Single argument = x;
  SinglePair product{1.0F, 0.0F};
  while (argument > 2.5F) {
    argument = argument - 1.0F;
    const SinglePair step = exact_product(product.high, argument);
    product = {step.high, mad(product.low, argument, step.low)};
  }
  if (argument < 1.5F) return gamma_series(argument - 1.0F) * reciprocal(argument);
  const Single value = gamma_series(argument - 2.0F);
  return mad(product.low, value, product.high * value);
}

/// Below 1/2: gamma(x) = pi/(sin(pi x) gamma(1 - x)) (Abramowitz & Stegun 1964, 6.1.17).
TESLASIM_DEVICE Single tgammaf(Single x) {
  if (is_nan(x)) return x;
  if (is_zero(x)) return with_sign(infinity(), x);
  if (x > 35.0401F) return infinity();
  const bool whole = x < 0.0F && nearest(x) == x;
  if (whole || x < -16777216.0F) return not_a_number();
  if (x >= 0.5F) return positive_gamma(x);
  if (x > -0.5F) {
    // gamma(2 + x)/(x (1 + x))
    return divide(gamma_series(x), mad(x, x, x));
  }
  if (x < -43.0F) return with_sign(0.0F, sine_of_turns(x));
  // Large ones in two factors, of which neither overflows: gamma(a) = (a - 1) ... (a - 12) gamma(a - 12).
  const Single a = absolute(x);
  Single upper = 1.0F;
  for (float step = 1.0F; step <= 12.0F && a > 30.0F; step += 1.0F) upper = upper * (a - step);
  const Single lower = positive_gamma(a > 30.0F ? a - 12.0F : a);
  return -divide(divide(divide(3.14159274F, sine_of_turns(a) * a), lower), upper);
}

}  // namespace teslasim_device
