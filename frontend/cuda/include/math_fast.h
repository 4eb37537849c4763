// SPDX-License-Identifier: Apache-2.0
// -use_fast_math: ordinary names of f32 functions mean the chip's own instructions (docs/cuda-math.md, fast functions).
#pragma once

#include "math_functions.h"

#if defined(__USE_FAST_MATH__) && defined(__CUDA_ARCH__)
#define cosf __cosf
#define exp10f __exp10f
#define expf __expf
#define log10f __log10f
#define log2f __log2f
#define logf __logf
#define powf __powf
#define sincosf __sincosf
#define sinf __sinf
#define tanf __tanf
#endif
