/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers as in CUBLAS and CUFFT, for both sides and for C: pairs, with the real part first. */
#pragma once

#include "cuda_runtime.h"

#define TESLASIM_COMPLEX(type, real, f)                                             \
  TESLASIM_BOTH_SIDES real cuCreal##f(type a) {                                     \
    return a.x;                                                                     \
  }                                                                                 \
  TESLASIM_BOTH_SIDES real cuCimag##f(type a) {                                     \
    return a.y;                                                                     \
  }                                                                                 \
  TESLASIM_BOTH_SIDES type make_##type(real x, real y) {                            \
    const type made = {x, y};                                                       \
    return made;                                                                    \
  }                                                                                 \
  TESLASIM_BOTH_SIDES type cuConj##f(type a) {                                      \
    return make_##type(a.x, -a.y);                                                  \
  }                                                                                 \
  TESLASIM_BOTH_SIDES type cuCadd##f(type a, type b) {                              \
    return make_##type(a.x + b.x, a.y + b.y);                                       \
  }                                                                                 \
  TESLASIM_BOTH_SIDES type cuCsub##f(type a, type b) {                              \
    return make_##type(a.x - b.x, a.y - b.y);                                       \
  }                                                                                 \
  TESLASIM_BOTH_SIDES type cuCmul##f(type a, type b) {                              \
    return make_##type(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);               \
  }                                                                                 \
  TESLASIM_BOTH_SIDES type cuCfma##f(type a, type b, type c) {                      \
    return cuCadd##f(cuCmul##f(a, b), c);                                           \
  }                                                                                 \
  /* The divisor is scaled to a length near 1, so that no square overflows. */      \
  TESLASIM_BOTH_SIDES type cuCdiv##f(type a, type b) {                              \
    const real scale = (real)1 / (fabs##f(b.x) + fabs##f(b.y));                     \
    const type top = make_##type(a.x * scale, a.y * scale);                         \
    const type low = make_##type(b.x * scale, b.y * scale);                         \
    const real inverse = (real)1 / (low.x * low.x + low.y * low.y);                 \
    const type product = cuCmul##f(top, cuConj##f(low));                            \
    return make_##type(product.x * inverse, product.y * inverse);                   \
  }                                                                                 \
  TESLASIM_BOTH_SIDES real cuCabs##f(type a) {                                      \
    const real width = fabs##f(a.x), height = fabs##f(a.y);                         \
    const real longer = width < height ? height : width;                            \
    const real shorter = width < height ? width : height;                           \
    const real ratio = shorter / longer;                                            \
    /* Of 0 and of what is not finite there is no ratio. */                         \
    const int is_plain = longer > (real)0 && longer - longer == (real)0;            \
    return is_plain ? longer * sqrt##f((real)1 + ratio * ratio) : longer + shorter; \
  }

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

TESLASIM_COMPLEX(cuFloatComplex, float, f)
TESLASIM_COMPLEX(cuDoubleComplex, double, )
#undef TESLASIM_COMPLEX

TESLASIM_BOTH_SIDES cuComplex make_cuComplex(float x, float y) {
  return make_cuFloatComplex(x, y);
}
TESLASIM_BOTH_SIDES cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_cuDoubleComplex((double)a.x, (double)a.y);
}
TESLASIM_BOTH_SIDES cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_cuFloatComplex((float)a.x, (float)a.y);
}
