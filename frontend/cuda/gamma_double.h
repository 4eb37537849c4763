// SPDX-License-Identifier: Apache-2.0
// f64 lgamma, tgamma.
#pragma once

#include "double.h"
#include "exponential_double.h"
#include "power_double.h"
#include "series_double.h"
#include "turns_double.h"

namespace teslasim_device {

/// log gamma(x) for x >= 3 in two parts: Stirling's series (Abramowitz & Stegun 1964, 6.1.41).
TESLASIM_DEVICE DoublePair long_log_gamma(Double x) {
  const Double inverse = divide(1.0, x);
  const DoublePair product = product_of(precise_logarithm(x), exact_sum(x, -0.5));
  const DoublePair rest = sum_of(exact_sum(-x, 0.91893853320467278), {3.8782941580672414e-17, 0.0});
  return sum_of(product, sum_of(rest, {inverse * stirling_series(inverse * inverse), 0.0}));
}
/// log gamma(x) for x > 0: polynomials with the zeros at 1 and 2 as factors, below 1/2 log gamma(1 + x) - log x.
TESLASIM_DEVICE Double positive_log_gamma(Double x) {
  if (x < 0.5) return fma_of(x, gamma_at_one_series(x), -log(x));
  if (x < 1.5) return (x - 1.0) * gamma_at_one_series(x - 1.0) + 0.0;  // + 0: the zeros are positive
  if (x < 3.0) return (x - 2.0) * gamma_at_two_series(x - 2.0) + 0.0;
  if (x > 1.0e17) return x * (log(x) - 1.0);
  const DoublePair value = long_log_gamma(x);
  return value.high + value.low;
}
/// Below zero: log(pi/|x sin(pi x)|) - log gamma(-x) (Abramowitz & Stegun 1964, 6.1.17).
TESLASIM_DEVICE Double lgamma(Double x) {
  if (is_nan(x)) return x;
  if (is_infinite(x) || x == 0.0) return infinite_double();
  if (x > 0.0) return positive_log_gamma(x);
  const Double a = -x;
  if (a >= 4503599627370496.0 || __builtin_rint(a) == a) return infinite_double();
  if (a < 1.0e-18) return -log(a);
  const Double sine = absolute(sine_of_turns(a));
  if (a < 0.5) return -fma_of(a, gamma_at_one_series(a), log(sine * 0.31830988618379067));
  return -(log(sine * a * 0.31830988618379067) + positive_log_gamma(a));
}

/// exp(x) `factor`, x in two parts.
TESLASIM_DEVICE Double exponential_times(DoublePair x, Double factor) {
  const ReducedDouble e = reduced_exponent(within(x.high, 1400.0));
  return scaled(small_exponential(ordered_sum(e.rest.high, e.rest.low + x.low)) * factor, e.power);
}
/// gamma(x) for 1/2 <= x < 3: brought to 3/2 .. 5/2 by its recurrence.
TESLASIM_DEVICE Double near_gamma(Double x) {
  if (x < 1.5) return divide(gamma_series(x - 1.0), x);
  if (x < 2.5) return gamma_series(x - 2.0);
  return (x - 1.0) * gamma_series(x - 3.0);
}
/// Below 1/2: gamma(x) = pi/(sin(pi x) gamma(1 - x)) (Abramowitz & Stegun 1964, 6.1.17).
TESLASIM_DEVICE Double tgamma(Double x) {
  if (is_nan(x)) return x;
  if (x == 0.0) return with_sign(infinite_double(), x);
  if (x > 172.0) return infinite_double();
  if (x >= 3.0) return exponential_times(long_log_gamma(x), 1.0);
  if (x >= 0.5) return near_gamma(x);
  if (is_infinite(x) || __builtin_rint(x) == x) return undefined_double();
  if (x > -0.5) return divide(gamma_series(x), fma_of(x, x, x));  // gamma(2 + x)/(x (1 + x))
  if (x < -190.0) return with_sign(0.0, sine_of_turns(x));
  const Double a = -x;
  const Double factor = divide(-3.1415926535897931, sine_of_turns(a) * a);
  if (a < 3.0) return divide(factor, near_gamma(a));
  const DoublePair logarithm = long_log_gamma(a);
  return exponential_times({-logarithm.high, -logarithm.low}, factor);
}

}  // namespace teslasim_device
