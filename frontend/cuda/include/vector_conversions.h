// SPDX-License-Identifier: Apache-2.0
// make_int2 to make_float4 of one number, of vectors of another size and of other elements, as in the samples.
#pragma once

#include "vector_operators.h"

#define TESLASIM_CONVERT_2(scalar) (scalar) a.x, (scalar)a.y
#define TESLASIM_CONVERT_3(scalar) TESLASIM_CONVERT_2(scalar), (scalar)a.z
#define TESLASIM_CONVERT_4(scalar) TESLASIM_CONVERT_3(scalar), (scalar)a.w
#define TESLASIM_CONVERSION(name, scalar, other, size)                   \
  TESLASIM_SAMPLE_FUNCTION name##size make_##name##size(other##size a) { \
    return name##size{TESLASIM_CONVERT_##size(scalar)};                  \
  }
#define TESLASIM_CONVERSIONS(name, scalar, other) \
  TESLASIM_CONVERSION(name, scalar, other, 2)     \
  TESLASIM_CONVERSION(name, scalar, other, 3)     \
  TESLASIM_CONVERSION(name, scalar, other, 4)

#define TESLASIM_SIZES(name, scalar)                                     \
  TESLASIM_SAMPLE_FUNCTION name##2 make_##name##2(scalar a) {            \
    return name##2 {a, a};                                               \
  }                                                                      \
  TESLASIM_SAMPLE_FUNCTION name##2 make_##name##2(name##3 a) {           \
    return name##2 {a.x, a.y};                                           \
  }                                                                      \
  TESLASIM_SAMPLE_FUNCTION name##3 make_##name##3(scalar a) {            \
    return name##3 {a, a, a};                                            \
  }                                                                      \
  TESLASIM_SAMPLE_FUNCTION name##3 make_##name##3(name##2 a) {           \
    return name##3 {a.x, a.y, 0};                                        \
  }                                                                      \
  TESLASIM_SAMPLE_FUNCTION name##3 make_##name##3(name##2 a, scalar z) { \
    return name##3 {a.x, a.y, z};                                        \
  }                                                                      \
  TESLASIM_SAMPLE_FUNCTION name##3 make_##name##3(name##4 a) {           \
    return name##3 {a.x, a.y, a.z};                                      \
  }                                                                      \
  TESLASIM_SAMPLE_FUNCTION name##4 make_##name##4(scalar a) {            \
    return name##4 {a, a, a, a};                                         \
  }                                                                      \
  TESLASIM_SAMPLE_FUNCTION name##4 make_##name##4(name##3 a) {           \
    return name##4 {a.x, a.y, a.z, 0};                                   \
  }                                                                      \
  TESLASIM_SAMPLE_FUNCTION name##4 make_##name##4(name##3 a, scalar w) { \
    return name##4 {a.x, a.y, a.z, w};                                   \
  }
TESLASIM_SIZES(float, float)
TESLASIM_SIZES(int, int)
TESLASIM_SIZES(uint, unsigned int)
TESLASIM_CONVERSIONS(float, float, int)
TESLASIM_CONVERSIONS(float, float, uint)
TESLASIM_CONVERSIONS(int, int, float)
TESLASIM_CONVERSIONS(int, int, uint)
TESLASIM_CONVERSIONS(uint, unsigned int, float)
TESLASIM_CONVERSIONS(uint, unsigned int, int)
#undef TESLASIM_SIZES
#undef TESLASIM_CONVERSION
#undef TESLASIM_CONVERSIONS
