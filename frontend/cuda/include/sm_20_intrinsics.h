// SPDX-License-Identifier: Apache-2.0
// What came with compute capability 2.0: a use is an error that says so.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)
__device__ unsigned int __ballot(int predicate) TESLASIM_NEEDS("2.0");
__device__ int __syncthreads_count(int predicate) TESLASIM_NEEDS("2.0");
__device__ int __syncthreads_and(int predicate) TESLASIM_NEEDS("2.0");
__device__ int __syncthreads_or(int predicate) TESLASIM_NEEDS("2.0");
__device__ void __threadfence_system() TESLASIM_NEEDS("2.0");
#endif
