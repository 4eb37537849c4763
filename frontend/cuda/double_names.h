// SPDX-License-Identifier: Apache-2.0
// CUDA's names of the f64 functions, for device code of compute capability 1.3.
#pragma once

#if !defined(__CUDA__)
#error "double_names.h is for device code: clang -x cuda"
#endif

#include "frontend/cuda/power_double.h"
#include "frontend/cuda/trigonometric_double.h"

#define TESLASIM_ONE(name)                \
  TESLASIM_DEVICE double name(double x) { \
    return teslasim_device::name(x);      \
  }
#define TESLASIM_TWO(name)                          \
  TESLASIM_DEVICE double name(double x, double y) { \
    return teslasim_device::name(x, y);             \
  }
TESLASIM_ONE(acos)
TESLASIM_ONE(acosh)
TESLASIM_ONE(asin)
TESLASIM_ONE(asinh)
TESLASIM_ONE(atan)
TESLASIM_ONE(atanh)
TESLASIM_ONE(cbrt)
TESLASIM_ONE(cos)
TESLASIM_ONE(cosh)
TESLASIM_ONE(erf)
TESLASIM_ONE(erfc)
TESLASIM_ONE(exp)
TESLASIM_ONE(exp10)
TESLASIM_ONE(exp2)
TESLASIM_ONE(expm1)
TESLASIM_ONE(log)
TESLASIM_ONE(log10)
TESLASIM_ONE(log1p)
TESLASIM_ONE(log2)
TESLASIM_ONE(rsqrt)
TESLASIM_ONE(sin)
TESLASIM_ONE(sinh)
TESLASIM_ONE(sqrt)
TESLASIM_ONE(tan)
TESLASIM_ONE(tanh)
TESLASIM_TWO(atan2)
TESLASIM_TWO(hypot)
TESLASIM_TWO(pow)
TESLASIM_DEVICE void sincos(double x, double* sine, double* cosine) {
  teslasim_device::sincos(x, *sine, *cosine);
}
#undef TESLASIM_ONE
#undef TESLASIM_TWO
