// SPDX-License-Identifier: Apache-2.0
// f32 erfinv, erfcinv, erfcx. erfinv(x)/x is smooth in w = -log((1 - x)(1 + x)), and in 1/sqrt(w) where w is large
// (Giles 2010, Approximating the erfinv function); 1 - x is what erfcinv is given.
#pragma once

#include "gamma_single.h"
#include "logarithm_single.h"
#include "series_single.h"
#include "single.h"

namespace teslasim_device {

/// erfinv(x)/x of (1 - x)(1 + x), which is positive.
TESLASIM_DEVICE Single inverse_error_ratio(Single product) {
  const Single w = -logf(product);
  if (w < 5.0F) return inverse_error_series(w - 2.5F);
  const Single t = reciprocal_root(w);
  return w * t * inverse_error_tail_series(t - 0.25F);
}

TESLASIM_DEVICE Single erfinvf(Single x) {
  const Single a = absolute(x);
  if (is_zero(x)) return x;
  if (is_nan(x) || a > 1.0F) return not_a_number();
  if (a == 1.0F) return with_sign(infinity(), x);
  return x * inverse_error_ratio((1.0F - a) * (1.0F + a));
}

TESLASIM_DEVICE Single erfcinvf(Single x) {
  if (is_nan(x) || x < 0.0F || x > 2.0F) return not_a_number();
  const Single rest = 2.0F - x;
  if (is_zero(x) || is_zero(rest)) return with_sign(infinity(), 1.0F - x);
  return (1.0F - x) * inverse_error_ratio(x * rest);
}

/// exp(x^2), with the square in two parts.
TESLASIM_DEVICE Single exponential_of_square(Single x) {
  const SinglePair square = exact_product(x, x);
  const Single power = precise_exponential(square.high);
  return mad(power, square.low, power);
}
/// exp(x^2) erfc(x): beyond 28 the first terms of the asymptotic series (Abramowitz & Stegun 1964, 7.1.23).
TESLASIM_DEVICE Single erfcxf(Single x) {
  if (is_nan(x)) return x;
  if (x < -9.4F) return infinity();
  const Single a = absolute(x);
  Single scaled_complement = 0.0F;
  if (a < 1.0F) {
    scaled_complement = near_complement_series(a - 0.5F);
  } else if (a > 28.0F) {
    const Single inverse = reciprocal(a);
    const Single z = inverse * inverse;
    scaled_complement = inverse * 0.564189583F * mad(z, mad(z, 0.75F, -0.5F), 1.0F);
  } else {
    scaled_complement = complement_series((a - 4.0F) * reciprocal(a + 4.0F)) * reciprocal(mad(2.0F, a, 1.0F));
  }
  if (sign_bit(x) == 0) return scaled_complement;
  const Single power = exponential_of_square(a);
  return (power - scaled_complement) + power;
}

}  // namespace teslasim_device
