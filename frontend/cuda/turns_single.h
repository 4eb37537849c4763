// SPDX-License-Identifier: Apache-2.0
// f32 sinpi, cospi: sine and cosine of pi x. Quarter turns are taken off x itself, without error.
#pragma once

#include "single.h"
#include "trigonometric_single.h"

namespace teslasim_device {

TESLASIM_DEVICE ReducedAngle reduced_turns(Single x) {
  if (is_nan(x) || is_infinite(x)) return {{not_a_number(), 0.0F}, 0};
  if (absolute(x) >= 16777216.0F) return {{0.0F, 0.0F}, 0};  // whole and even
  const Single n = nearest(x + x);
  const Single rest = mad(n, -0.5F, x);
  const Single angle = rest * 3.14159274F;
  return {{angle, rest * -8.74227766e-08F}, static_cast<Word>(static_cast<int>(n.value))};
}

TESLASIM_DEVICE Single sine_of_turns(Single x) {
  return sine_of(reduced_turns(x), 0);
}
/// Zeros have the sign of x; those of the cosine are positive.
TESLASIM_DEVICE Single sinpif(Single x) {
  const Single sine = sine_of_turns(x);
  return is_zero(sine) ? with_sign(0.0F, x) : sine;
}
TESLASIM_DEVICE Single cospif(Single x) {
  return sine_of(reduced_turns(x), 1) + 0.0F;
}
TESLASIM_DEVICE void sincospif(Single x, Single& sine, Single& cosine) {
  sine = sinpif(x);
  cosine = cospif(x);
}

}  // namespace teslasim_device
