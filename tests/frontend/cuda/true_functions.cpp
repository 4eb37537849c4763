// SPDX-License-Identifier: Apache-2.0
#include "tests/frontend/cuda/true_functions.h"

#include <cmath>
#include <limits>

namespace teslasim::device_library_test {

namespace {

constexpr long double pi = 3.14159265358979323846264338327950288L;
constexpr long double root_of_pi = 1.77245385090551602729816748334114518L;
constexpr long double long_infinity = std::numeric_limits<long double>::infinity();
constexpr long double long_nan = std::numeric_limits<long double>::quiet_NaN();

/// The positive y with erfc(y) = `rest`, 0 < rest <= 1: Newton's method on the logarithm, from Winitzki's estimate
/// (2008).
long double positive_inverse(long double rest, long double error) {
  if (error == 0) return 0;
  const long double logarithm = std::log(rest) + std::log1p(error);
  const long double half = 4.33L + logarithm / 2;
  long double y = std::sqrt(std::sqrt(half * half - logarithm / 0.147L) - half);
  for (int step = 0; step < 12; ++step) {
    const bool small = error < 0.5L;  // where erfc has no digits to tell
    const long double slope = 2 / root_of_pi * std::exp(-y * y);
    y -= small ? (std::erf(y) - error) / slope : std::log(rest / std::erfc(y)) * std::erfc(y) / slope;
  }
  return y;
}

}  // namespace

long double inverse_cube_root(long double x) {
  return 1 / std::cbrt(x);
}

long double sine_of_turns(long double x) {
  if (std::isinf(x)) return long_nan;
  const long double rest = std::remainder(x, 2.0L);  // exact
  const long double near = std::fabs(rest) > 0.5L ? std::copysign(1.0L, rest) - rest : rest;
  return near == 0 ? std::copysign(0.0L, x) : std::sin(pi * near);
}
long double cosine_of_turns(long double x) {
  if (std::isinf(x)) return long_nan;
  return std::sin(pi * (0.5L - std::fabs(std::remainder(x, 2.0L))));
}

long double inverse_error(long double x) {
  const long double a = std::fabs(x);
  if (!(a <= 1)) return long_nan;
  return std::copysign(a == 1 ? long_infinity : positive_inverse(1 - a, a), x);
}
long double inverse_complement(long double x) {
  if (!(x >= 0 && x <= 2)) return long_nan;
  if (x == 0 || x == 2) return x == 0 ? long_infinity : -long_infinity;
  return x <= 1 ? positive_inverse(x, 1 - x) : -positive_inverse(2 - x, x - 1);
}

long double scaled_complement(long double x) {
  if (x < -120) return long_infinity;
  const long double square = x * x;
  if (x < 100) return std::exp(square) * (1 + std::fma(x, x, -square)) * std::erfc(x);
  const long double z = 1 / square;  // Abramowitz & Stegun 1964, 7.1.23
  return (1 + z * (-0.5L + z * (0.75L + z * (-1.875L + z * 6.5625L)))) / (x * root_of_pi);
}

}  // namespace teslasim::device_library_test
