// SPDX-License-Identifier: Apache-2.0
// threadIdx, blockIdx, blockDim, gridDim, warpSize: clang's own header, with the conversions that it leaves open.
#pragma once

// `threadIdx.x` belongs to the line where it stands, not to clang's header.
#define always_inline always_inline, nodebug
#include <__clang_cuda_builtin_vars.h>
#undef always_inline

#include "vector_types.h"

#define TESLASIM_CONVERSIONS_OF(name)                                   \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const {  \
    return dim3(x, y, z);                                               \
  }                                                                     \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const { \
    return uint3{x, y, z};                                              \
  }
TESLASIM_CONVERSIONS_OF(threadIdx)
TESLASIM_CONVERSIONS_OF(blockIdx)
TESLASIM_CONVERSIONS_OF(blockDim)
TESLASIM_CONVERSIONS_OF(gridDim)
#undef TESLASIM_CONVERSIONS_OF
