// SPDX-License-Identifier: Apache-2.0
// CUDA's integer functions and conversions, for device code.
#pragma once

#if !defined(__CUDA__)
#error "integer_names.h is for device code: clang -x cuda"
#endif

#include "bits.h"

TESLASIM_DEVICE int __mul24(int a, int b) {
  return __nvvm_mul24_i(a, b);
}
TESLASIM_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) {
  return __nvvm_mul24_ui(a, b);
}
TESLASIM_DEVICE int __mulhi(int a, int b) {
  return __nvvm_mulhi_i(a, b);
}
TESLASIM_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) {
  return __nvvm_mulhi_ui(a, b);
}
TESLASIM_DEVICE long long __mul64hi(long long a, long long b) {
  return teslasim_device::upper_product(a, b);
}
TESLASIM_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return teslasim_device::upper_product(a, b);
}
TESLASIM_DEVICE int __clz(int x) {
  return teslasim_device::leading_zeros(static_cast<unsigned int>(x));
}
TESLASIM_DEVICE int __clzll(long long x) {
  return teslasim_device::leading_zeros(static_cast<unsigned long long>(x));
}
TESLASIM_DEVICE int __ffs(int x) {
  return teslasim_device::first_set(static_cast<unsigned int>(x));
}
TESLASIM_DEVICE int __ffsll(long long x) {
  return teslasim_device::first_set(static_cast<unsigned long long>(x));
}
TESLASIM_DEVICE int __popc(unsigned int x) {
  return teslasim_device::count_ones(x);
}
TESLASIM_DEVICE int __popcll(unsigned long long x) {
  return teslasim_device::count_ones(x);
}
TESLASIM_DEVICE unsigned int __brev(unsigned int x) {
  return teslasim_device::reversed(x);
}
TESLASIM_DEVICE unsigned long long __brevll(unsigned long long x) {
  return teslasim_device::reversed(x);
}
TESLASIM_DEVICE unsigned int __sad(int a, int b, unsigned int c) {
  unsigned int sum;
  __asm__("sad.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
TESLASIM_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  unsigned int sum;
  __asm__("sad.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
/// Four of the eight bytes of `low` and `high`, chosen by the lowest three bits of each hexadecimal digit of
/// `selector`.
TESLASIM_DEVICE unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int selector) {
  constexpr unsigned int bytes = 4, byte_bits = 8, digit_bits = 4, choice = 7, byte = 255;
  unsigned int all = 0;
  for (unsigned int i = 0; i < bytes; ++i) {
    const unsigned int chosen = selector >> (digit_bits * i) & choice;
    const unsigned int word = chosen < bytes ? low : high;
    all |= (word >> (byte_bits * (chosen % bytes)) & byte) << (byte_bits * i);
  }
  return all;
}

#define TESLASIM_CHOICE(name, type)                \
  TESLASIM_DEVICE type name##min(type a, type b) { \
    return a < b ? a : b;                          \
  }                                                \
  TESLASIM_DEVICE type name##max(type a, type b) { \
    return a > b ? a : b;                          \
  }
TESLASIM_CHOICE(u, unsigned int)
TESLASIM_CHOICE(ll, long long)
TESLASIM_CHOICE(ull, unsigned long long)
#undef TESLASIM_CHOICE

TESLASIM_DEVICE float __int_as_float(int bits) {
  return __builtin_bit_cast(float, bits);
}
TESLASIM_DEVICE int __float_as_int(float value) {
  return __builtin_bit_cast(int, value);
}
TESLASIM_DEVICE float __uint_as_float(unsigned int bits) {
  return __builtin_bit_cast(float, bits);
}
TESLASIM_DEVICE unsigned int __float_as_uint(float value) {
  return __builtin_bit_cast(unsigned int, value);
}

#define TESLASIM_CONVERSION_FROM_FLOAT(name, type, mode, builtin) \
  TESLASIM_DEVICE type __float2##name##_##mode(float x) {         \
    return __nvvm_f2##builtin##_ftz(x);                           \
  }
// Not by builtins: LLVM 14 takes those that round to zero for those that round to nearest.
#define TESLASIM_CONVERSION_TO_FLOAT(name, type, mode, instruction, constraint) \
  TESLASIM_DEVICE float __##name##2float_##mode(type x) {                       \
    float result;                                                               \
    __asm__("cvt." instruction " %0, %1;" : "=f"(result) : constraint(x));      \
    return result;                                                              \
  }
#define TESLASIM_CONVERSIONS(mode, code)                                        \
  TESLASIM_CONVERSION_FROM_FLOAT(int, int, mode, i_##code)                      \
  TESLASIM_CONVERSION_FROM_FLOAT(uint, unsigned int, mode, ui_##code)           \
  TESLASIM_CONVERSION_FROM_FLOAT(ll, long long, mode, ll_##code)                \
  TESLASIM_CONVERSION_FROM_FLOAT(ull, unsigned long long, mode, ull_##code)     \
  TESLASIM_CONVERSION_TO_FLOAT(int, int, mode, #code ".f32.s32", "r")           \
  TESLASIM_CONVERSION_TO_FLOAT(uint, unsigned int, mode, #code ".f32.u32", "r") \
  TESLASIM_CONVERSION_TO_FLOAT(ll, long long, mode, #code ".f32.s64", "l")      \
  TESLASIM_CONVERSION_TO_FLOAT(ull, unsigned long long, mode, #code ".f32.u64", "l")
TESLASIM_CONVERSIONS(rn, rn)
TESLASIM_CONVERSIONS(rz, rz)
TESLASIM_CONVERSIONS(ru, rp)
TESLASIM_CONVERSIONS(rd, rm)
#undef TESLASIM_CONVERSIONS
#undef TESLASIM_CONVERSION_FROM_FLOAT
#undef TESLASIM_CONVERSION_TO_FLOAT

// Half precision: bits in memory that these chips convert and nothing else.
TESLASIM_DEVICE unsigned short __float2half_rn(float x) {
  unsigned short bits;
  __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
TESLASIM_DEVICE float __half2float(unsigned short bits) {
  float x;
  __asm__("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
