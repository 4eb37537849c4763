// SPDX-License-Identifier: Apache-2.0
// f64 sinpi, cospi: sine and cosine of pi x. Quarter turns are taken off x itself, without error.
#pragma once

#include "double.h"
#include "trigonometric_double.h"

namespace teslasim_device {

TESLASIM_DEVICE ReducedDoubleAngle reduced_turns(Double x) {
  if (is_nan(x) || is_infinite(x)) return {{undefined_double(), 0.0}, 0};
  if (absolute(x) >= 9007199254740992.0) return {{0.0, 0.0}, 0};  // whole and even
  const Double n = __builtin_rint(x + x);
  const Double rest = fma_of(n, -0.5, x);
  const DoublePair angle = exact_product(rest, 3.1415926535897931);
  const auto quadrant = static_cast<Word>(static_cast<long long>(n));
  return {{angle.high, fma_of(rest, 1.2246467991473532e-16, angle.low)}, quadrant};
}

TESLASIM_DEVICE Double sine_of_turns(Double x) {
  return sine_of(reduced_turns(x), 0);
}
/// Zeros have the sign of x; those of the cosine are positive.
TESLASIM_DEVICE Double sinpi(Double x) {
  if (absolute(x) < 1.0e-9) return scaled(scaled(x, 200) * 3.1415926535897931, -200);
  const Double sine = sine_of_turns(x);
  return sine == 0.0 ? with_sign(0.0, x) : sine;
}
TESLASIM_DEVICE Double cospi(Double x) {
  return sine_of(reduced_turns(x), 1) + 0.0;
}
TESLASIM_DEVICE void sincospi(Double x, Double& sine, Double& cosine) {
  sine = sinpi(x);
  cosine = cospi(x);
}

}  // namespace teslasim_device
