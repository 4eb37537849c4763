// SPDX-License-Identifier: Apache-2.0
// Old names of isnan, isinf, isfinite and signbit for device code; the host's C library has its own.
#pragma once

#include "math_functions.h"

#define TESLASIM_CLASS(name, test, number) \
  TESLASIM_DEVICE int name(number x) {     \
    return test;                           \
  }
#define TESLASIM_CLASSES(suffix, number)                     \
  TESLASIM_CLASS(isnan##suffix, x != x, number)              \
  TESLASIM_CLASS(isinf##suffix, std::isinf(x), number)       \
  TESLASIM_CLASS(finite##suffix, std::isfinite(x), number)   \
  TESLASIM_CLASS(__isnan##suffix, x != x, number)            \
  TESLASIM_CLASS(__isinf##suffix, std::isinf(x), number)     \
  TESLASIM_CLASS(__finite##suffix, std::isfinite(x), number) \
  TESLASIM_CLASS(__signbit##suffix, std::signbit(x), number)
TESLASIM_CLASSES(f, float)
#undef TESLASIM_CLASSES
TESLASIM_CLASS(finite, std::isfinite(x), double)
TESLASIM_CLASS(__isnan, x != x, double)
TESLASIM_CLASS(__isinf, std::isinf(x), double)
TESLASIM_CLASS(__finite, std::isfinite(x), double)
TESLASIM_CLASS(__signbit, std::signbit(x), double)
#undef TESLASIM_CLASS
