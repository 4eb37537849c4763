// SPDX-License-Identifier: Apache-2.0
// f64 erfinv, erfcinv, erfcx: the f32 polynomials of inverse_error_single.h, then a step of Halley's method.
#pragma once

#include "double.h"
#include "exponential_double.h"
#include "series_double.h"
#include "trigonometric_double.h"

namespace teslasim_device {

/// erfinv(x)/x of (1 - x)(1 + x), which is positive, to about 24 bits.
TESLASIM_DEVICE Double inverse_error_ratio(Double product) {
  const Double w = -log(product);
  if (w < 5.0) return inverse_error_series(w - 2.5);
  const Double t = rsqrt(w);
  return w * t * inverse_error_long_tail_series(t - 0.25);
}
/// The positive y with erf(y) = `error` = 1 - `rest`. The smaller of the two is exact and says how far off y is.
TESLASIM_DEVICE Double inverse_error_of(Double error, Double rest) {
  const Double y = error * inverse_error_ratio(rest * (1.0 + error));
  Double step = 0.0;
  if (error < 0.5) {
    step = (erf(y) - error) * 0.88622692545275801 * exp(y * y);
  } else {
    const Double q = divide(y - 4.0, y + 4.0);
    // erfc(y) exp(y^2), so that nothing vanishes
    const Double own = y < 1.0 ? erfc(y) * exp(y * y) : divide(complement_series(q), fma_of(2.0, y, 1.0));
    const DoublePair square = exact_product(y, y);
    const Double half = exp(0.5 * square.high);  // the whole may overflow
    const Double wanted = rest * half * half * (1.0 + square.low);
    step = (wanted - own) * 0.88622692545275801;
  }
  return y - divide(step, 1.0 + y * step);
}

TESLASIM_DEVICE Double erfinv(Double x) {
  const Double a = absolute(x);
  if (is_nan(x) || a > 1.0) return undefined_double();
  if (a == 1.0) return with_sign(infinite_double(), x);
  if (a < 1.0e-9) return scaled(scaled(x, 200) * 0.88622692545275801, -200);
  return with_sign(inverse_error_of(a, 1.0 - a), x);
}
TESLASIM_DEVICE Double erfcinv(Double x) {
  if (is_nan(x) || x < 0.0 || x > 2.0) return undefined_double();
  if (x == 0.0 || x == 2.0) return with_sign(infinite_double(), 1.0 - x);
  if (x == 1.0) return 0.0;
  const Double rest = x < 1.0 ? x : 2.0 - x;
  return with_sign(inverse_error_of(1.0 - rest, rest), 1.0 - x);
}

/// exp(x^2), with the square in two parts.
TESLASIM_DEVICE Double exponential_of_square(Double x) {
  const DoublePair square = exact_product(x, x);
  const ReducedDouble e = reduced_exponent(square.high);
  return scaled(small_exponential(ordered_sum(e.rest.high, e.rest.low + square.low)), e.power);
}
/// exp(x^2) erfc(x): beyond 28 the first terms of the asymptotic series (Abramowitz & Stegun 1964, 7.1.23).
TESLASIM_DEVICE Double erfcx(Double x) {
  if (is_nan(x)) return x;
  if (x < -26.63) return infinite_double();
  const Double a = absolute(x);
  Double scaled_complement = 0.0;
  if (a < 1.0) {
    scaled_complement = near_complement_series(a - 0.5);
  } else if (a > 28.0) {
    const Double inverse = divide(1.0, a);
    const Double z = inverse * inverse;
    scaled_complement =
        inverse * 0.56418958354775628 * horner(z, 1.0, -0.5, 0.75, -1.875, 6.5625, -29.53125, 162.421875);
  } else {
    scaled_complement = divide(complement_series(divide(a - 4.0, a + 4.0)), fma_of(2.0, a, 1.0));
  }
  if (sign_bit(x) == 0) return scaled_complement;
  const Double power = exponential_of_square(a);
  return (power - scaled_complement) + power;
}

}  // namespace teslasim_device
