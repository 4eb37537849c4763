// SPDX-License-Identifier: Apache-2.0
// C++'s overloads for float, abs, and CUDA's min and max, which also the host has.
#pragma once

#include "math_functions.h"

#define TESLASIM_UNARY(name)            \
  TESLASIM_DEVICE float name(float x) { \
    return name##f(x);                  \
  }
#define TESLASIM_BINARY(name)                    \
  TESLASIM_DEVICE float name(float x, float y) { \
    return name##f(x, y);                        \
  }
TESLASIM_EACH_UNARY(TESLASIM_UNARY)
TESLASIM_EACH_OWN_UNARY(TESLASIM_UNARY)
TESLASIM_EACH_BINARY(TESLASIM_BINARY)
TESLASIM_BINARY(rhypot)
#undef TESLASIM_UNARY
#undef TESLASIM_BINARY
#undef TESLASIM_EACH_UNARY
#undef TESLASIM_EACH_OWN_UNARY
#undef TESLASIM_EACH_BINARY
#undef TESLASIM_EACH_NAME

TESLASIM_DEVICE float abs(float x) {
  return fabsf(x);
}
TESLASIM_DEVICE double abs(double x) {
  return fabs(x);
}
/// The smallest number is its own absolute value, as on the chip: in unsigned words, where nothing overflows.
TESLASIM_DEVICE int abs(int x) {
  return static_cast<int>(x < 0 ? 0 - static_cast<unsigned>(x) : static_cast<unsigned>(x));
}
TESLASIM_DEVICE long abs(long x) {
  return static_cast<long>(x < 0 ? 0 - static_cast<unsigned long>(x) : static_cast<unsigned long>(x));
}
TESLASIM_DEVICE long long abs(long long x) {
  return static_cast<long long>(x < 0 ? 0 - static_cast<unsigned long long>(x) : static_cast<unsigned long long>(x));
}
TESLASIM_DEVICE long labs(long x) {
  return abs(x);
}
TESLASIM_DEVICE long long llabs(long long x) {
  return abs(x);
}
TESLASIM_DEVICE float fma(float x, float y, float z) {
  return fmaf(x, y, z);
}
TESLASIM_DEVICE float frexp(float x, int* exponent) {
  return frexpf(x, exponent);
}
TESLASIM_DEVICE float ldexp(float x, int exponent) {
  return ldexpf(x, exponent);
}
TESLASIM_DEVICE float scalbn(float x, int exponent) {
  return scalbnf(x, exponent);
}
TESLASIM_DEVICE float scalbln(float x, long exponent) {
  return scalblnf(x, exponent);
}
TESLASIM_DEVICE float modf(float x, float* whole) {
  return modff(x, whole);
}
TESLASIM_DEVICE float remquo(float x, float y, int* quotient) {
  return remquof(x, y, quotient);
}
TESLASIM_DEVICE int ilogb(float x) {
  return ilogbf(x);
}
TESLASIM_DEVICE long lrint(float x) {
  return lrintf(x);
}
TESLASIM_DEVICE long long llrint(float x) {
  return llrintf(x);
}
TESLASIM_DEVICE long lround(float x) {
  return lroundf(x);
}
TESLASIM_DEVICE long long llround(float x) {
  return llroundf(x);
}
TESLASIM_DEVICE void sincos(float x, float* sine, float* cosine) {
  sincosf(x, sine, cosine);
}
TESLASIM_DEVICE void sincospi(float x, float* sine, float* cosine) {
  sincospif(x, sine, cosine);
}
TESLASIM_DEVICE float fdivide(float x, float y) {
  return fdividef(x, y);
}
TESLASIM_DEVICE double fdivide(double x, double y) {
  return x / y;
}
TESLASIM_DEVICE double nan(const char* text) {
  return nanf(text);
}

/// The binary method (Knuth 1969, section 4.6.3).
#define TESLASIM_WHOLE_POWER(number)                  \
  TESLASIM_DEVICE number pow(number x, int y) {       \
    unsigned int rest = y < 0 ? 0U - y : y;           \
    number power = 1;                                 \
    for (number square = x; rest != 0; rest >>= 1U) { \
      if ((rest & 1U) != 0) power *= square;          \
      square *= square;                               \
    }                                                 \
    return y < 0 ? 1 / power : power;                 \
  }
TESLASIM_WHOLE_POWER(float)
TESLASIM_WHOLE_POWER(double)
#undef TESLASIM_WHOLE_POWER

#define TESLASIM_CHOICE(result, first, second)                                                                \
  TESLASIM_BOTH_SIDES result min(first a, second b) {                                                         \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(a) : static_cast<result>(b); \
  }                                                                                                           \
  TESLASIM_BOTH_SIDES result max(first a, second b) {                                                         \
    return static_cast<result>(a) > static_cast<result>(b) ? static_cast<result>(a) : static_cast<result>(b); \
  }
TESLASIM_CHOICE(int, int, int)
TESLASIM_CHOICE(unsigned int, unsigned int, unsigned int)
TESLASIM_CHOICE(unsigned int, int, unsigned int)
TESLASIM_CHOICE(unsigned int, unsigned int, int)
TESLASIM_CHOICE(long, long, long)
TESLASIM_CHOICE(unsigned long, unsigned long, unsigned long)
TESLASIM_CHOICE(unsigned long, long, unsigned long)
TESLASIM_CHOICE(unsigned long, unsigned long, long)
TESLASIM_CHOICE(long long, long long, long long)
TESLASIM_CHOICE(unsigned long long, unsigned long long, unsigned long long)
TESLASIM_CHOICE(unsigned long long, long long, unsigned long long)
TESLASIM_CHOICE(unsigned long long, unsigned long long, long long)
#undef TESLASIM_CHOICE

#define TESLASIM_REAL_CHOICE(result, first, second)                   \
  TESLASIM_DEVICE result min(first a, second b) {                     \
    return fmin(static_cast<result>(a), static_cast<result>(b));      \
  }                                                                   \
  TESLASIM_DEVICE result max(first a, second b) {                     \
    return fmax(static_cast<result>(a), static_cast<result>(b));      \
  }                                                                   \
  static __host__ __inline__ result min(first a, second b) {          \
    return std::fmin(static_cast<result>(a), static_cast<result>(b)); \
  }                                                                   \
  static __host__ __inline__ result max(first a, second b) {          \
    return std::fmax(static_cast<result>(a), static_cast<result>(b)); \
  }
TESLASIM_REAL_CHOICE(float, float, float)
TESLASIM_REAL_CHOICE(double, double, double)
TESLASIM_REAL_CHOICE(double, float, double)
TESLASIM_REAL_CHOICE(double, double, float)
#undef TESLASIM_REAL_CHOICE
