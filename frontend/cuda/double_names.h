// SPDX-License-Identifier: Apache-2.0
// CUDA's names of the f64 functions, for device code of compute capability 1.3.
#pragma once

#if !defined(__CUDA__)
#error "double_names.h is for device code: clang -x cuda"
#endif

#include "gamma_double.h"
#include "inverse_error_double.h"
#include "power_double.h"
#include "rounding_double.h"
#include "trigonometric_double.h"
#include "turns_double.h"

#define TESLASIM_ONE(name)                \
  TESLASIM_DEVICE double name(double x) { \
    return teslasim_device::name(x);      \
  }
#define TESLASIM_TWO(name)                          \
  TESLASIM_DEVICE double name(double x, double y) { \
    return teslasim_device::name(x, y);             \
  }
TESLASIM_ONE(acos)
TESLASIM_ONE(acosh)
TESLASIM_ONE(asin)
TESLASIM_ONE(asinh)
TESLASIM_ONE(atan)
TESLASIM_ONE(atanh)
TESLASIM_ONE(cbrt)
TESLASIM_ONE(ceil)
TESLASIM_ONE(cos)
TESLASIM_ONE(cosh)
TESLASIM_ONE(cospi)
TESLASIM_ONE(erf)
TESLASIM_ONE(erfc)
TESLASIM_ONE(erfcinv)
TESLASIM_ONE(erfcx)
TESLASIM_ONE(erfinv)
TESLASIM_ONE(exp)
TESLASIM_ONE(exp10)
TESLASIM_ONE(exp2)
TESLASIM_ONE(expm1)
TESLASIM_ONE(fabs)
TESLASIM_ONE(floor)
TESLASIM_ONE(lgamma)
TESLASIM_ONE(log)
TESLASIM_ONE(log10)
TESLASIM_ONE(log1p)
TESLASIM_ONE(log2)
TESLASIM_ONE(logb)
TESLASIM_ONE(rcbrt)
TESLASIM_ONE(rint)
TESLASIM_ONE(round)
TESLASIM_ONE(rsqrt)
TESLASIM_ONE(sin)
TESLASIM_ONE(sinh)
TESLASIM_ONE(sinpi)
TESLASIM_ONE(sqrt)
TESLASIM_ONE(tan)
TESLASIM_ONE(tanh)
TESLASIM_ONE(tgamma)
TESLASIM_ONE(trunc)
TESLASIM_TWO(atan2)
TESLASIM_TWO(copysign)
TESLASIM_TWO(fdim)
TESLASIM_TWO(fmax)
TESLASIM_TWO(fmin)
TESLASIM_TWO(fmod)
TESLASIM_TWO(hypot)
TESLASIM_TWO(nextafter)
TESLASIM_TWO(pow)
TESLASIM_TWO(remainder)
TESLASIM_TWO(rhypot)
TESLASIM_DEVICE double nearbyint(double x) {
  return teslasim_device::rint(x);
}
TESLASIM_DEVICE double fma(double x, double y, double z) {
  return teslasim_device::fma_of(x, y, z);
}
TESLASIM_DEVICE double frexp(double x, int* exponent) {
  return teslasim_device::frexp(x, *exponent);
}
TESLASIM_DEVICE double ldexp(double x, int exponent) {
  return teslasim_device::ldexp(x, exponent);
}
TESLASIM_DEVICE double scalbn(double x, int exponent) {
  return teslasim_device::ldexp(x, exponent);
}
TESLASIM_DEVICE double scalbln(double x, long exponent) {
  return teslasim_device::ldexp(x, static_cast<int>(exponent > 2200 ? 2200 : (exponent < -2200 ? -2200 : exponent)));
}
TESLASIM_DEVICE double modf(double x, double* whole) {
  return teslasim_device::modf(x, *whole);
}
TESLASIM_DEVICE double remquo(double x, double y, int* quotient) {
  return teslasim_device::remquo(x, y, *quotient);
}
TESLASIM_DEVICE int ilogb(double x) {
  return teslasim_device::ilogb(x);
}
TESLASIM_DEVICE long lrint(double x) {
  return __nvvm_d2ll_rn(x);
}
TESLASIM_DEVICE long long llrint(double x) {
  return __nvvm_d2ll_rn(x);
}
TESLASIM_DEVICE long lround(double x) {
  return __nvvm_d2ll_rz(teslasim_device::round(x));
}
TESLASIM_DEVICE long long llround(double x) {
  return __nvvm_d2ll_rz(teslasim_device::round(x));
}
TESLASIM_DEVICE void sincos(double x, double* sine, double* cosine) {
  teslasim_device::sincos(x, *sine, *cosine);
}
TESLASIM_DEVICE void sincospi(double x, double* sine, double* cosine) {
  teslasim_device::sincospi(x, *sine, *cosine);
}
#undef TESLASIM_ONE
#undef TESLASIM_TWO
