// SPDX-License-Identifier: Apache-2.0
// CUDA's names of the f32 functions, for device code. They overload the host's functions of the same names: clang
// chooses by the side from which a call is made.
#pragma once

#if !defined(__CUDA__)
#error "math_names.h is for device code: clang -x cuda"
#endif

#include "exact_single.h"
#include "fast_single.h"
#include "gamma_single.h"
#include "inverse_error_single.h"
#include "rounding_single.h"
#include "turns_single.h"

#define TESLASIM_ONE(name)                 \
  TESLASIM_DEVICE float name(float x) {    \
    return teslasim_device::name(x).value; \
  }
#define TESLASIM_TWO(name)                       \
  TESLASIM_DEVICE float name(float x, float y) { \
    return teslasim_device::name(x, y).value;    \
  }
#define TESLASIM_RENAMED(name, own)       \
  TESLASIM_DEVICE float name(float x) {   \
    return teslasim_device::own(x).value; \
  }

TESLASIM_ONE(acosf)
TESLASIM_ONE(acoshf)
TESLASIM_ONE(asinf)
TESLASIM_ONE(asinhf)
TESLASIM_ONE(atanf)
TESLASIM_ONE(atanhf)
TESLASIM_ONE(cbrtf)
TESLASIM_ONE(ceilf)
TESLASIM_ONE(cosf)
TESLASIM_ONE(coshf)
TESLASIM_ONE(cospif)
TESLASIM_ONE(erfcf)
TESLASIM_ONE(erfcinvf)
TESLASIM_ONE(erfcxf)
TESLASIM_ONE(erff)
TESLASIM_ONE(erfinvf)
TESLASIM_ONE(exp10f)
TESLASIM_ONE(exp2f)
TESLASIM_ONE(expf)
TESLASIM_ONE(expm1f)
TESLASIM_ONE(fabsf)
TESLASIM_ONE(floorf)
TESLASIM_ONE(lgammaf)
TESLASIM_ONE(log10f)
TESLASIM_ONE(log1pf)
TESLASIM_ONE(log2f)
TESLASIM_ONE(logbf)
TESLASIM_ONE(logf)
TESLASIM_ONE(rcbrtf)
TESLASIM_ONE(rintf)
TESLASIM_ONE(roundf)
TESLASIM_ONE(rsqrtf)
TESLASIM_ONE(sinf)
TESLASIM_ONE(sinhf)
TESLASIM_ONE(sinpif)
TESLASIM_ONE(sqrtf)
TESLASIM_ONE(tanf)
TESLASIM_ONE(tanhf)
TESLASIM_ONE(tgammaf)
TESLASIM_ONE(truncf)
TESLASIM_RENAMED(nearbyintf, rintf)

TESLASIM_TWO(atan2f)
TESLASIM_TWO(copysignf)
TESLASIM_TWO(fdimf)
TESLASIM_TWO(fmaxf)
TESLASIM_TWO(fminf)
TESLASIM_TWO(fmodf)
TESLASIM_TWO(hypotf)
TESLASIM_TWO(nextafterf)
TESLASIM_TWO(powf)
TESLASIM_TWO(remainderf)
TESLASIM_TWO(rhypotf)

TESLASIM_DEVICE float fmaf(float x, float y, float z) {
  return teslasim_device::fmaf(x, y, z).value;
}
TESLASIM_DEVICE float frexpf(float x, int* exponent) {
  return teslasim_device::frexpf(x, *exponent).value;
}
TESLASIM_DEVICE float ldexpf(float x, int exponent) {
  return teslasim_device::ldexpf(x, exponent).value;
}
TESLASIM_DEVICE float scalbnf(float x, int exponent) {
  return teslasim_device::ldexpf(x, exponent).value;
}
TESLASIM_DEVICE float scalblnf(float x, long exponent) {
  return teslasim_device::ldexpf(x, static_cast<int>(exponent > 300 ? 300 : (exponent < -300 ? -300 : exponent))).value;
}
TESLASIM_DEVICE int ilogbf(float x) {
  return teslasim_device::ilogbf(x);
}
TESLASIM_DEVICE float modff(float x, float* whole) {
  teslasim_device::Single part = 0.0F;
  const float fraction = teslasim_device::modff(x, part).value;
  *whole = part.value;
  return fraction;
}
TESLASIM_DEVICE float remquof(float x, float y, int* quotient) {
  return teslasim_device::remquof(x, y, *quotient).value;
}
TESLASIM_DEVICE void sincosf(float x, float* sine, float* cosine) {
  teslasim_device::Single s = 0.0F;
  teslasim_device::Single c = 0.0F;
  teslasim_device::sincosf(x, s, c);
  *sine = s.value;
  *cosine = c.value;
}
TESLASIM_DEVICE void sincospif(float x, float* sine, float* cosine) {
  teslasim_device::Single s = 0.0F;
  teslasim_device::Single c = 0.0F;
  teslasim_device::sincospif(x, s, c);
  *sine = s.value;
  *cosine = c.value;
}
/// What the text says is lost: all functions here give the same NaN.
TESLASIM_DEVICE float nanf(const char*) {
  return teslasim_device::not_a_number().value;
}
TESLASIM_DEVICE long lrintf(float x) {
  return __nvvm_f2ll_rn_ftz(x);
}
TESLASIM_DEVICE long long llrintf(float x) {
  return __nvvm_f2ll_rn_ftz(x);
}
TESLASIM_DEVICE long lroundf(float x) {
  return __nvvm_f2ll_rz_ftz(teslasim_device::roundf(x).value);
}
TESLASIM_DEVICE long long llroundf(float x) {
  return __nvvm_f2ll_rz_ftz(teslasim_device::roundf(x).value);
}

TESLASIM_RENAMED(__sinf, fast_sine)
TESLASIM_RENAMED(__cosf, fast_cosine)
TESLASIM_RENAMED(__tanf, fast_tangent)
TESLASIM_RENAMED(__expf, fast_exp)
TESLASIM_RENAMED(__exp10f, fast_exp10)
TESLASIM_RENAMED(__logf, fast_log)
TESLASIM_RENAMED(__log2f, fast_log2)
TESLASIM_RENAMED(__log10f, fast_log10)
TESLASIM_RENAMED(__saturatef, saturate)
TESLASIM_RENAMED(saturate, saturate)
TESLASIM_DEVICE float __powf(float x, float y) {
  return teslasim_device::fast_power(x, y).value;
}
TESLASIM_DEVICE float __fdividef(float x, float y) {
  return teslasim_device::fast_divide(x, y).value;
}
TESLASIM_DEVICE float fdividef(float x, float y) {
  return teslasim_device::divide(x, y).value;
}
TESLASIM_DEVICE void __sincosf(float x, float* sine, float* cosine) {
  *sine = teslasim_device::hardware_sine(x);
  *cosine = teslasim_device::hardware_cosine(x);
}

#define TESLASIM_ROUNDED(suffix, mode)                                                         \
  TESLASIM_DEVICE float __fdiv_##suffix(float x, float y) {                                    \
    return teslasim_device::exact_divide(x, y, teslasim_device::RoundTo::mode).value;          \
  }                                                                                            \
  TESLASIM_DEVICE float __frcp_##suffix(float x) {                                             \
    return teslasim_device::exact_divide(1.0F, x, teslasim_device::RoundTo::mode).value;       \
  }                                                                                            \
  TESLASIM_DEVICE float __fsqrt_##suffix(float x) {                                            \
    return teslasim_device::exact_root(x, teslasim_device::RoundTo::mode).value;               \
  }                                                                                            \
  TESLASIM_DEVICE float __fmaf_##suffix(float x, float y, float z) {                           \
    return teslasim_device::exact_multiply_add(x, y, z, teslasim_device::RoundTo::mode).value; \
  }
TESLASIM_ROUNDED(rn, nearest)
TESLASIM_ROUNDED(rz, zero)
TESLASIM_ROUNDED(ru, up)
TESLASIM_ROUNDED(rd, down)

TESLASIM_DEVICE float __fadd_rn(float x, float y) {
  return __nvvm_add_rn_ftz_f(x, y);
}
TESLASIM_DEVICE float __fadd_rz(float x, float y) {
  return __nvvm_add_rz_ftz_f(x, y);
}
TESLASIM_DEVICE float __fmul_rn(float x, float y) {
  return __nvvm_mul_rn_ftz_f(x, y);
}
TESLASIM_DEVICE float __fmul_rz(float x, float y) {
  return __nvvm_mul_rz_ftz_f(x, y);
}

// The chip has no instructions for these directions.
#define TESLASIM_DIRECTED(suffix, mode)                                                 \
  TESLASIM_DEVICE float __fadd_##suffix(float x, float y) {                             \
    return teslasim_device::exact_add(x, y, teslasim_device::RoundTo::mode).value;      \
  }                                                                                     \
  TESLASIM_DEVICE float __fmul_##suffix(float x, float y) {                             \
    return teslasim_device::exact_multiply(x, y, teslasim_device::RoundTo::mode).value; \
  }
TESLASIM_DIRECTED(ru, up)
TESLASIM_DIRECTED(rd, down)
#undef TESLASIM_DIRECTED

#undef TESLASIM_ONE
#undef TESLASIM_TWO
#undef TESLASIM_RENAMED
#undef TESLASIM_ROUNDED
