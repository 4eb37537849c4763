// SPDX-License-Identifier: Apache-2.0
// What the samples of CUDA 5 include for checks; those of CUDA 4 have the same by other names.
#pragma once

#include "cutil.h"

template <class Result>
inline void check(Result result, const char* what, const char* file, int line) {
  teslasim_check(result, what, file, line);
}
