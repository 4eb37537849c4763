// SPDX-License-Identifier: Apache-2.0
// What threads of a block do together: barriers, fences, votes, the clock. Integer functions and conversions.
#pragma once

#include "device_types.h"
#include "host_defines.h"

#include <time.h>

#include "../integer_names.h"

// __syncthreads is known to clang itself.

TESLASIM_DEVICE void __threadfence_block() {
  __nvvm_membar_cta();
}
TESLASIM_DEVICE void __threadfence() {
  __nvvm_membar_gl();
}
TESLASIM_DEVICE void __trap() {
  __asm__ volatile("trap;");
}
TESLASIM_DEVICE void __brkpt(int = 0) {
  __asm__ volatile("brkpt;");
}
#define __prof_trigger(number) __asm__ volatile("pmevent " #number ";")

TESLASIM_DEVICE clock_t clock() {
  return static_cast<clock_t>(__nvvm_read_ptx_sreg_clock());
}

#if TESLASIM_CAPABILITY >= 120
// Not by builtins: LLVM 14 has no instruction for them below sm_30.
#define TESLASIM_VOTE(name, mode)           \
  TESLASIM_DEVICE int name(int predicate) { \
    int result;                             \
    __asm__ volatile(                       \
        "{ .reg .pred %%vote;\n\t"          \
        "setp.ne.s32 %%vote, %1, 0;\n\t"    \
        "vote." #mode                       \
        ".pred %%vote, %%vote;\n\t"         \
        "selp.s32 %0, 1, 0, %%vote; }"      \
        : "=r"(result)                      \
        : "r"(predicate));                  \
    return result;                          \
  }
TESLASIM_VOTE(__all, all)
TESLASIM_VOTE(__any, any)
#undef TESLASIM_VOTE
#else
__device__ int __all(int predicate) TESLASIM_NEEDS("1.2");
__device__ int __any(int predicate) TESLASIM_NEEDS("1.2");
#endif

// Names without underscores, which CUDA has too.
TESLASIM_DEVICE int mul24(int a, int b) {
  return __mul24(a, b);
}
TESLASIM_DEVICE unsigned int umul24(unsigned int a, unsigned int b) {
  return __umul24(a, b);
}
TESLASIM_DEVICE int mulhi(int a, int b) {
  return __mulhi(a, b);
}
TESLASIM_DEVICE unsigned int mulhi(unsigned int a, unsigned int b) {
  return __umulhi(a, b);
}
TESLASIM_DEVICE unsigned int umulhi(unsigned int a, unsigned int b) {
  return __umulhi(a, b);
}
TESLASIM_DEVICE long long mul64hi(long long a, long long b) {
  return __mul64hi(a, b);
}
TESLASIM_DEVICE unsigned long long umul64hi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
TESLASIM_DEVICE int float_as_int(float x) {
  return __float_as_int(x);
}
TESLASIM_DEVICE float int_as_float(int x) {
  return __int_as_float(x);
}
#define TESLASIM_BY_MODE(name, to, from, usual)                 \
  TESLASIM_DEVICE to name(from x, cudaRoundMode mode = usual) { \
    return mode == cudaRoundNearest  ? __##name##_rn(x)         \
           : mode == cudaRoundZero   ? __##name##_rz(x)         \
           : mode == cudaRoundPosInf ? __##name##_ru(x)         \
                                     : __##name##_rd(x);        \
  }
TESLASIM_BY_MODE(float2int, int, float, cudaRoundZero)
TESLASIM_BY_MODE(float2uint, unsigned int, float, cudaRoundZero)
TESLASIM_BY_MODE(int2float, float, int, cudaRoundNearest)
TESLASIM_BY_MODE(uint2float, float, unsigned int, cudaRoundNearest)
#undef TESLASIM_BY_MODE
