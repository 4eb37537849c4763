// SPDX-License-Identifier: Apache-2.0
// What the hardware does, one function per instruction: everything else of the device library is written on these.
//
// For a device each is a builtin that becomes one PTX instruction. `.rn.ftz` products and sums are never contracted by
// our compiler, and `mad.f32` is always the chip's mad, which cuts its product to 24 bits before it adds. So the
// library computes the same whatever options the user's own code is compiled with. For a host they are declared only:
// tests supply them with the bits of the chip.
#pragma once

#if defined(__CUDA__)
// Without lines of its own: instructions belong to the line that calls.
#define TESLASIM_DEVICE static __device__ __inline__ __attribute__((always_inline, nodebug))
#define TESLASIM_MEMBER __device__ __inline__ __attribute__((always_inline, nodebug))
#else
#define TESLASIM_DEVICE inline
#define TESLASIM_MEMBER
#endif

namespace teslasim_device {

using Word = unsigned int;
using LongWord = unsigned long long;

#if defined(__CUDA__)
TESLASIM_DEVICE float hardware_add(float a, float b) {
  return __nvvm_add_rn_ftz_f(a, b);
}
TESLASIM_DEVICE float hardware_multiply(float a, float b) {
  return __nvvm_mul_rn_ftz_f(a, b);
}
TESLASIM_DEVICE float hardware_mad(float a, float b, float c) {
  float sum;
  __asm__("mad.f32 %0, %1, %2, %3;" : "=f"(sum) : "f"(a), "f"(b), "f"(c));
  return sum;
}
TESLASIM_DEVICE float hardware_reciprocal(float a) {
  float result;  // clang 14 has no builtin for it
  __asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
}
TESLASIM_DEVICE float hardware_reciprocal_root(float a) {
  return __nvvm_rsqrt_approx_ftz_f(a);
}
TESLASIM_DEVICE float hardware_log2(float a) {
  return __nvvm_lg2_approx_ftz_f(a);
}
TESLASIM_DEVICE float hardware_exp2(float a) {
  return __nvvm_ex2_approx_ftz_f(a);
}
TESLASIM_DEVICE float hardware_sine(float a) {
  return __nvvm_sin_approx_ftz_f(a);
}
TESLASIM_DEVICE float hardware_cosine(float a) {
  return __nvvm_cos_approx_ftz_f(a);
}
TESLASIM_DEVICE double hardware_fma(double a, double b, double c) {
  return __nvvm_fma_rn_d(a, b, c);
}
#else
float hardware_add(float a, float b);
float hardware_multiply(float a, float b);
float hardware_mad(float a, float b, float c);
float hardware_reciprocal(float a);
float hardware_reciprocal_root(float a);
float hardware_log2(float a);
float hardware_exp2(float a);
float hardware_sine(float a);
float hardware_cosine(float a);
double hardware_fma(double a, double b, double c);
#endif

TESLASIM_DEVICE Word bits_of(float value) {
  return __builtin_bit_cast(Word, value);
}
TESLASIM_DEVICE float float_of(Word bits) {
  return __builtin_bit_cast(float, bits);
}
TESLASIM_DEVICE LongWord bits_of(double value) {
  return __builtin_bit_cast(LongWord, value);
}
TESLASIM_DEVICE double double_of(LongWord bits) {
  return __builtin_bit_cast(double, bits);
}

}  // namespace teslasim_device
