// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA for the host that its C library has not.
#pragma once

#include "math_functions.h"

static __host__ __inline__ double rsqrt(double x) {
  return 1.0 / std::sqrt(x);
}
static __host__ __inline__ double rcbrt(double x) {
  return 1.0 / std::cbrt(x);
}
static __host__ __inline__ double rhypot(double x, double y) {
  return 1.0 / std::hypot(x, y);
}
static __host__ __inline__ double fdivide(double x, double y) {
  return x / y;
}
/// What is beyond whole turns is exact.
static __host__ __inline__ double sinpi(double x) {
  const double rest = std::remainder(x, 2.0);
  const double near = std::fabs(rest) > 0.5 ? std::copysign(1.0, rest) - rest : rest;
  return near == 0.0 ? std::copysign(0.0, x) : std::sin(3.14159265358979323846 * near);
}
static __host__ __inline__ double cospi(double x) {
  return std::sin(3.14159265358979323846 * (0.5 - std::fabs(std::remainder(x, 2.0))));
}
/// Newton's method on erfc from an estimate of Winitzki (2008); `rest` is 1 - `error`.
static __host__ __inline__ double teslasim_inverse_error(double error, double rest) {
  if (error == 0.0) return 0.0;
  const double logarithm = std::log(rest) + std::log1p(error);
  const double half = 4.33 + 0.5 * logarithm;
  double y = std::sqrt(std::sqrt(half * half - logarithm / 0.147) - half);
  for (int step = 0; step < 8; ++step) {
    const double slope = 1.1283791670955126 * std::exp(-y * y);
    y -= error < 0.5 ? (std::erf(y) - error) / slope : std::log(rest / std::erfc(y)) * std::erfc(y) / slope;
  }
  return y;
}
static __host__ __inline__ double erfcinv(double x) {
  if (!(x >= 0.0 && x <= 2.0)) return std::nan("");
  if (x == 0.0 || x == 2.0) return x == 0.0 ? HUGE_VAL : -HUGE_VAL;
  return x <= 1.0 ? teslasim_inverse_error(1.0 - x, x) : -teslasim_inverse_error(x - 1.0, 2.0 - x);
}
static __host__ __inline__ double erfinv(double x) {
  const double a = std::fabs(x);
  if (!(a <= 1.0)) return std::nan("");
  return std::copysign(a == 1.0 ? HUGE_VAL : teslasim_inverse_error(a, 1.0 - a), x);
}
/// exp(x^2) erfc(x); from 26 on by its asymptotic series (Abramowitz & Stegun 1964, 7.1.23).
static __host__ __inline__ double erfcx(double x) {
  if (x < 26.0) return std::exp(x * x) * std::erfc(x);
  const double z = 1.0 / (x * x);
  return (1.0 + z * (-0.5 + z * (0.75 + z * (-1.875 + z * 6.5625)))) * 0.56418958354775628 / x;
}

#define TESLASIM_UNARY(name)                                 \
  static __host__ __inline__ float name##f(float x) {        \
    return static_cast<float>(name(static_cast<double>(x))); \
  }                                                          \
  static __host__ __inline__ float name(float x) {           \
    return name##f(x);                                       \
  }
#define TESLASIM_BINARY(name)                                                        \
  static __host__ __inline__ float name##f(float x, float y) {                       \
    return static_cast<float>(name(static_cast<double>(x), static_cast<double>(y))); \
  }                                                                                  \
  static __host__ __inline__ float name(float x, float y) {                          \
    return name##f(x, y);                                                            \
  }
TESLASIM_UNARY(rsqrt)
TESLASIM_UNARY(rcbrt)
TESLASIM_UNARY(sinpi)
TESLASIM_UNARY(cospi)
TESLASIM_UNARY(erfinv)
TESLASIM_UNARY(erfcinv)
TESLASIM_UNARY(erfcx)
TESLASIM_BINARY(rhypot)
TESLASIM_BINARY(fdivide)
#undef TESLASIM_UNARY
#undef TESLASIM_BINARY
static __host__ __inline__ void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
static __host__ __inline__ void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
