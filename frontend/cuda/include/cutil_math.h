// SPDX-License-Identifier: Apache-2.0
// Arithmetic on float2, float3, float4, int2 and their kin, as in the samples.
#pragma once

#include "vector_conversions.h"
#include "vector_operators.h"

typedef unsigned int uint;
typedef unsigned short ushort;

#if !defined(__CUDA__)
// CUDA's functions that a compiler of C++ has not.
TESLASIM_SAMPLE_FUNCTION int min(int a, int b) {
  return a < b ? a : b;
}
TESLASIM_SAMPLE_FUNCTION int max(int a, int b) {
  return a > b ? a : b;
}
TESLASIM_SAMPLE_FUNCTION unsigned int min(unsigned int a, unsigned int b) {
  return a < b ? a : b;
}
TESLASIM_SAMPLE_FUNCTION unsigned int max(unsigned int a, unsigned int b) {
  return a > b ? a : b;
}
TESLASIM_SAMPLE_FUNCTION float rsqrtf(float x) {
  return 1.0F / sqrtf(x);
}
#endif

TESLASIM_SAMPLE_FUNCTION float clamp(float x, float low, float high) {
  return fmaxf(low, fminf(x, high));
}
TESLASIM_SAMPLE_FUNCTION int clamp(int x, int low, int high) {
  return max(low, min(x, high));
}
TESLASIM_SAMPLE_FUNCTION unsigned int clamp(unsigned int x, unsigned int low, unsigned int high) {
  return max(low, min(x, high));
}
TESLASIM_SAMPLE_FUNCTION float lerp(float a, float b, float t) {
  return a + t * (b - a);
}
TESLASIM_SAMPLE_FUNCTION float fracf(float x) {
  return x - floorf(x);
}
/// 0 below `low`, 1 above `high`, a cubic without kinks between.
TESLASIM_SAMPLE_FUNCTION float smoothstep(float low, float high, float x) {
  const float t = clamp((x - low) / (high - low), 0.0F, 1.0F);
  return t * t * (3.0F - 2.0F * t);
}

#define TESLASIM_EACH_2(function) function(a.x), function(a.y)
#define TESLASIM_EACH_3(function) TESLASIM_EACH_2(function), function(a.z)
#define TESLASIM_EACH_4(function) TESLASIM_EACH_3(function), function(a.w)
#define TESLASIM_BOTH_2(function) function(a.x, b.x), function(a.y, b.y)
#define TESLASIM_BOTH_3(function) TESLASIM_BOTH_2(function), function(a.z, b.z)
#define TESLASIM_BOTH_4(function) TESLASIM_BOTH_3(function), function(a.w, b.w)
#define TESLASIM_CLAMP_2 clamp(a.x, low.x, high.x), clamp(a.y, low.y, high.y)
#define TESLASIM_CLAMP_3 TESLASIM_CLAMP_2, clamp(a.z, low.z, high.z)
#define TESLASIM_CLAMP_4 TESLASIM_CLAMP_3, clamp(a.w, low.w, high.w)
#define TESLASIM_STEP_2 smoothstep(low.x, high.x, a.x), smoothstep(low.y, high.y, a.y)
#define TESLASIM_STEP_3 TESLASIM_STEP_2, smoothstep(low.z, high.z, a.z)
#define TESLASIM_STEP_4 TESLASIM_STEP_3, smoothstep(low.w, high.w, a.w)
#define TESLASIM_PRODUCTS_2 a.x* b.x + a.y* b.y
#define TESLASIM_PRODUCTS_3 TESLASIM_PRODUCTS_2 + a.z* b.z
#define TESLASIM_PRODUCTS_4 TESLASIM_PRODUCTS_3 + a.w* b.w

#define TESLASIM_OF_ONE(name, size, function)                  \
  TESLASIM_SAMPLE_FUNCTION name##size function(name##size a) { \
    return name##size{TESLASIM_EACH_##size(function)};         \
  }
#define TESLASIM_OF_TWO(name, size, function)                                \
  TESLASIM_SAMPLE_FUNCTION name##size function(name##size a, name##size b) { \
    return name##size{TESLASIM_BOTH_##size(function)};                       \
  }
#define TESLASIM_OF_ANY(name, scalar, size)                                                  \
  TESLASIM_SAMPLE_FUNCTION scalar dot(name##size a, name##size b) {                          \
    return TESLASIM_PRODUCTS_##size;                                                         \
  }                                                                                          \
  TESLASIM_SAMPLE_FUNCTION name##size clamp(name##size a, name##size low, name##size high) { \
    return name##size{TESLASIM_CLAMP_##size};                                                \
  }                                                                                          \
  TESLASIM_SAMPLE_FUNCTION name##size clamp(name##size a, scalar low, scalar high) {         \
    return clamp(a, make_##name##size(low), make_##name##size(high));                        \
  }
#define TESLASIM_OF_WHOLE(name, scalar, size) \
  TESLASIM_OF_ANY(name, scalar, size)         \
  TESLASIM_OF_TWO(name, size, min)            \
  TESLASIM_OF_TWO(name, size, max)
#define TESLASIM_OF_REAL(size)                                                                        \
  TESLASIM_OF_ANY(float, float, size)                                                                 \
  TESLASIM_OF_ONE(float, size, fabs)                                                                  \
  TESLASIM_OF_ONE(float, size, fabsf)                                                                 \
  TESLASIM_OF_ONE(float, size, floorf)                                                                \
  TESLASIM_OF_ONE(float, size, floor)                                                                 \
  TESLASIM_OF_ONE(float, size, fracf)                                                                 \
  TESLASIM_OF_TWO(float, size, fminf)                                                                 \
  TESLASIM_OF_TWO(float, size, fmaxf)                                                                 \
  TESLASIM_OF_TWO(float, size, fmodf)                                                                 \
  TESLASIM_SAMPLE_FUNCTION float length(float##size a) {                                              \
    return sqrtf(dot(a, a));                                                                          \
  }                                                                                                   \
  TESLASIM_SAMPLE_FUNCTION float##size normalize(float##size a) {                                     \
    return a * rsqrtf(dot(a, a));                                                                     \
  }                                                                                                   \
  TESLASIM_SAMPLE_FUNCTION float##size lerp(float##size a, float##size b, float t) {                  \
    return a + t * (b - a);                                                                           \
  }                                                                                                   \
  TESLASIM_SAMPLE_FUNCTION float##size reflect(float##size direction, float##size normal) {           \
    return direction - 2.0F * normal * dot(normal, direction);                                        \
  }                                                                                                   \
  TESLASIM_SAMPLE_FUNCTION float##size smoothstep(float##size low, float##size high, float##size a) { \
    return float##size{TESLASIM_STEP_##size};                                                         \
  }
TESLASIM_OF_REAL(2)
TESLASIM_OF_REAL(3)
TESLASIM_OF_REAL(4)
TESLASIM_OF_WHOLE(int, int, 2)
TESLASIM_OF_WHOLE(int, int, 3)
TESLASIM_OF_WHOLE(int, int, 4)
TESLASIM_OF_WHOLE(uint, unsigned int, 2)
TESLASIM_OF_WHOLE(uint, unsigned int, 3)
TESLASIM_OF_WHOLE(uint, unsigned int, 4)
TESLASIM_OF_ONE(int, 2, abs)
TESLASIM_OF_ONE(int, 3, abs)
TESLASIM_OF_ONE(int, 4, abs)
#undef TESLASIM_OF_ONE
#undef TESLASIM_OF_TWO
#undef TESLASIM_OF_ANY
#undef TESLASIM_OF_WHOLE
#undef TESLASIM_OF_REAL

TESLASIM_SAMPLE_FUNCTION float3 cross(float3 a, float3 b) {
  return float3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
