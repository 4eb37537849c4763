// SPDX-License-Identifier: Apache-2.0
// CUDA's names of f64 instructions with a rounding mode, of conversions, and of the two words of a double.
#pragma once

#if !defined(__CUDA__)
#error "double_operations.h is for device code: clang -x cuda"
#endif

#include "primitives.h"

// Instructions by name: LLVM 14 folds constants under builtins with another rounding.
#define TESLASIM_DOUBLE_OPERATIONS(suffix, mode)                                       \
  TESLASIM_DEVICE double __dadd_##suffix(double x, double y) {                         \
    double sum;                                                                        \
    __asm__("add." #mode ".f64 %0, %1, %2;" : "=d"(sum) : "d"(x), "d"(y));             \
    return sum;                                                                        \
  }                                                                                    \
  TESLASIM_DEVICE double __dmul_##suffix(double x, double y) {                         \
    double product;                                                                    \
    __asm__("mul." #mode ".f64 %0, %1, %2;" : "=d"(product) : "d"(x), "d"(y));         \
    return product;                                                                    \
  }                                                                                    \
  TESLASIM_DEVICE double __fma_##suffix(double x, double y, double z) {                \
    double sum;                                                                        \
    __asm__("fma." #mode ".f64 %0, %1, %2, %3;" : "=d"(sum) : "d"(x), "d"(y), "d"(z)); \
    return sum;                                                                        \
  }                                                                                    \
  TESLASIM_DEVICE float __double2float_##suffix(double x) {                            \
    float result;                                                                      \
    __asm__("cvt." #mode ".f32.f64 %0, %1;" : "=f"(result) : "d"(x));                  \
    return result;                                                                     \
  }                                                                                    \
  TESLASIM_FROM_DOUBLE(int, int, suffix, #mode "i.s32.f64", "=r")                      \
  TESLASIM_FROM_DOUBLE(uint, unsigned int, suffix, #mode "i.u32.f64", "=r")            \
  TESLASIM_FROM_DOUBLE(ll, long long, suffix, #mode "i.s64.f64", "=l")                 \
  TESLASIM_FROM_DOUBLE(ull, unsigned long long, suffix, #mode "i.u64.f64", "=l")       \
  TESLASIM_TO_DOUBLE(ll, long long, suffix, #mode ".f64.s64")                          \
  TESLASIM_TO_DOUBLE(ull, unsigned long long, suffix, #mode ".f64.u64")
#define TESLASIM_FROM_DOUBLE(name, type, suffix, instruction, constraint) \
  TESLASIM_DEVICE type __double2##name##_##suffix(double x) {             \
    type result;                                                          \
    __asm__("cvt." instruction " %0, %1;" : constraint(result) : "d"(x)); \
    return result;                                                        \
  }
#define TESLASIM_TO_DOUBLE(name, type, suffix, instruction)         \
  TESLASIM_DEVICE double __##name##2double_##suffix(type x) {       \
    double result;                                                  \
    __asm__("cvt." instruction " %0, %1;" : "=d"(result) : "l"(x)); \
    return result;                                                  \
  }
TESLASIM_DOUBLE_OPERATIONS(rn, rn)
TESLASIM_DOUBLE_OPERATIONS(rz, rz)
TESLASIM_DOUBLE_OPERATIONS(ru, rp)
TESLASIM_DOUBLE_OPERATIONS(rd, rm)
#undef TESLASIM_DOUBLE_OPERATIONS
#undef TESLASIM_FROM_DOUBLE
#undef TESLASIM_TO_DOUBLE

// Every 32-bit integer is a double.
TESLASIM_DEVICE double __int2double_rn(int x) {
  return x;
}
TESLASIM_DEVICE double __uint2double_rn(unsigned int x) {
  return x;
}

TESLASIM_DEVICE long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
TESLASIM_DEVICE double __longlong_as_double(long long bits) {
  return __builtin_bit_cast(double, bits);
}
TESLASIM_DEVICE int __double2hiint(double x) {
  return static_cast<int>(teslasim_device::bits_of(x) >> 32U);
}
TESLASIM_DEVICE int __double2loint(double x) {
  return static_cast<int>(static_cast<unsigned int>(teslasim_device::bits_of(x)));
}
TESLASIM_DEVICE double __hiloint2double(int high, int low) {
  const auto upper = static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32U;
  return teslasim_device::double_of(upper | static_cast<unsigned int>(low));
}
