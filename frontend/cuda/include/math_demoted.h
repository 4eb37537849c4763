// SPDX-License-Identifier: Apache-2.0
// Below compute capability 1.3 the chip has no f64: functions of double compute with f32.
#pragma once

#include "math_functions.h"

#if TESLASIM_CAPABILITY < 130

#define TESLASIM_UNARY(name)               \
  TESLASIM_DEVICE double name(double x) {  \
    return name##f(static_cast<float>(x)); \
  }
#define TESLASIM_BINARY(name)                                     \
  TESLASIM_DEVICE double name(double x, double y) {               \
    return name##f(static_cast<float>(x), static_cast<float>(y)); \
  }
TESLASIM_EACH_UNARY(TESLASIM_UNARY)
TESLASIM_EACH_OWN_UNARY(TESLASIM_UNARY)
TESLASIM_EACH_BINARY(TESLASIM_BINARY)
TESLASIM_BINARY(rhypot)
#undef TESLASIM_UNARY
#undef TESLASIM_BINARY

TESLASIM_DEVICE double fma(double x, double y, double z) {
  return fmaf(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
}
TESLASIM_DEVICE double frexp(double x, int* exponent) {
  return frexpf(static_cast<float>(x), exponent);
}
TESLASIM_DEVICE double ldexp(double x, int exponent) {
  return ldexpf(static_cast<float>(x), exponent);
}
TESLASIM_DEVICE double scalbn(double x, int exponent) {
  return scalbnf(static_cast<float>(x), exponent);
}
TESLASIM_DEVICE double scalbln(double x, long exponent) {
  return scalblnf(static_cast<float>(x), exponent);
}
TESLASIM_DEVICE double modf(double x, double* whole) {
  float part = 0.0F;
  const float fraction = modff(static_cast<float>(x), &part);
  *whole = part;
  return fraction;
}
TESLASIM_DEVICE double remquo(double x, double y, int* quotient) {
  return remquof(static_cast<float>(x), static_cast<float>(y), quotient);
}
TESLASIM_DEVICE int ilogb(double x) {
  return ilogbf(static_cast<float>(x));
}
TESLASIM_DEVICE long lrint(double x) {
  return lrintf(static_cast<float>(x));
}
TESLASIM_DEVICE long long llrint(double x) {
  return llrintf(static_cast<float>(x));
}
TESLASIM_DEVICE long lround(double x) {
  return lroundf(static_cast<float>(x));
}
TESLASIM_DEVICE long long llround(double x) {
  return llroundf(static_cast<float>(x));
}
TESLASIM_DEVICE void sincos(double x, double* sine, double* cosine) {
  float s = 0.0F;
  float c = 0.0F;
  sincosf(static_cast<float>(x), &s, &c);
  *sine = s;
  *cosine = c;
}
TESLASIM_DEVICE void sincospi(double x, double* sine, double* cosine) {
  float s = 0.0F;
  float c = 0.0F;
  sincospif(static_cast<float>(x), &s, &c);
  *sine = s;
  *cosine = c;
}
#endif
