/* SPDX-License-Identifier: Apache-2.0 */
/* The qualifiers of CUDA C as clang's attributes, and the compute capability that device code is compiled for. For a */
/* compiler of C or C++, which sees no device code, they mean nothing. */
#pragma once

#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__ 1
#endif

/* clang knows nothing below sm_20 and says 200 by itself. For the host the name must not be defined. */
#if !defined(__NVPTX__)
#undef __CUDA_ARCH__
#elif __CUDA_ARCH__ == 200
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ 130
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 100 && __CUDA_ARCH__ != 110 && __CUDA_ARCH__ != 120 && \
    __CUDA_ARCH__ != 130
#error "__CUDA_ARCH__ is 100, 110, 120 or 130: compute capability 1.0 to 1.3"
#endif

/* Device functions are declared for the host too, which parses kernels; there all of them are. */
#if defined(__CUDA_ARCH__)
#define TESLASIM_CAPABILITY __CUDA_ARCH__
#else
#define TESLASIM_CAPABILITY 130
#endif
/** For what a chip has not: a use is an error that says what is needed. */
#define TESLASIM_NEEDS(capability) __attribute__((unavailable("it needs compute capability " capability)))

#if defined(__CUDA__)
#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __constant__
#define __device__
#define __global__
#define __host__
#define __shared__
#define __launch_bounds__(...)
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __device_builtin__
#define __cudart_builtin__
#define __restrict__ __restrict

/* What C has not. */
#if defined(__cplusplus)
#define TESLASIM_C_NAMES_BEGIN extern "C" {
#define TESLASIM_C_NAMES_END }
/** The value of a parameter that may be left out. */
#define TESLASIM_OR(value) = value
/** Last parameters of a function that wants to know the place of its caller, which messages name. With them it has a */
/** name of its own in the library; CUDA's name is there too, with CUDA's parameters. */
#define TESLASIM_CALLER , const char *teslasim_file = __builtin_FILE(), int teslasim_line = __builtin_LINE()
#define TESLASIM_NAMED(name) __asm__("teslasim_" name)
#else
#define TESLASIM_C_NAMES_BEGIN
#define TESLASIM_C_NAMES_END
#define TESLASIM_OR(value)
#define TESLASIM_CALLER
#define TESLASIM_NAMED(name)
#endif
#define CUDARTAPI
#define CUDAAPI
#define CUDART_CB

/* All functions stand inline. Empty, so that the C++ library may write __attribute__((__noinline__)). */
#define __noinline__
#if defined(__CUDA__)
#define TESLASIM_BOTH_SIDES static __host__ __device__ __inline__ __attribute__((always_inline, nodebug))

#include "../primitives.h"
#else
#define TESLASIM_BOTH_SIDES static __inline__
#endif
