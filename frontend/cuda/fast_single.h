// SPDX-License-Identifier: Apache-2.0
// The fast f32 functions, whose names begin with two underscores: the chip's instructions with at most a product around
// them.
#pragma once

#include "single.h"

namespace teslasim_device {

TESLASIM_DEVICE Single fast_sine(Single x) {
  return hardware_sine(x.value);
}
TESLASIM_DEVICE Single fast_cosine(Single x) {
  return hardware_cosine(x.value);
}
TESLASIM_DEVICE Single fast_tangent(Single x) {
  return fast_sine(x) * reciprocal(fast_cosine(x));
}
TESLASIM_DEVICE Single fast_log2(Single x) {
  return hardware_log2(x.value);
}
TESLASIM_DEVICE Single fast_log(Single x) {
  return fast_log2(x) * 0.693147182F;
}
TESLASIM_DEVICE Single fast_log10(Single x) {
  return fast_log2(x) * 0.301030010F;
}
TESLASIM_DEVICE Single fast_exp(Single x) {
  return hardware_exp2((x * 1.44269502F).value);
}
TESLASIM_DEVICE Single fast_exp10(Single x) {
  return hardware_exp2((x * 3.32192802F).value);
}
TESLASIM_DEVICE Single fast_power(Single x, Single y) {
  return hardware_exp2((y * fast_log2(x)).value);
}
/// a (1/b): 0 for 2^126 < |b| < 2^128.
TESLASIM_DEVICE Single fast_divide(Single a, Single b) {
  return a * reciprocal(b);
}

/// NaN becomes 0.
TESLASIM_DEVICE Single saturate(Single x) {
  const Single below = x < 1.0F ? x : Single(1.0F);
  return below > 0.0F && !is_nan(x) ? below : Single(0.0F);
}

}  // namespace teslasim_device
