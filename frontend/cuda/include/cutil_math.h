// SPDX-License-Identifier: Apache-2.0
// Arithmetic on float2, float3, float4 and their kin, as in the samples.
#pragma once

#include "cuda_runtime.h"

#define TESLASIM_LIST_2(part) part(x), part(y)
#define TESLASIM_LIST_3(part) part(x), part(y), part(z)
#define TESLASIM_LIST_4(part) part(x), part(y), part(z), part(w)
#define TESLASIM_SUM(part) a.part + b.part
#define TESLASIM_DIFFERENCE(part) a.part - b.part
#define TESLASIM_PRODUCT(part) a.part* b.part
#define TESLASIM_QUOTIENT(part) a.part / b.part
#define TESLASIM_SCALED(part) a.part* b
#define TESLASIM_SCALED_LEFT(part) a* b.part
#define TESLASIM_SHIFTED(part) a.part + b
#define TESLASIM_LOWERED(part) a.part - b
#define TESLASIM_DIVIDED(part) a.part / b
#define TESLASIM_DIVIDING(part) a / b.part
#define TESLASIM_NEGATED(part) -a.part
#define TESLASIM_COMBINE(type, first, second, sign, list, part) \
  TESLASIM_BOTH_SIDES type operator sign(first a, second b) {   \
    return type{list(part)};                                    \
  }
#define TESLASIM_ASSIGN(type, second, sign)                      \
  TESLASIM_BOTH_SIDES void operator sign##=(type& a, second b) { \
    a = a sign b;                                                \
  }
#define TESLASIM_ARITHMETIC(type, scalar, list)                       \
  TESLASIM_COMBINE(type, type, type, +, list, TESLASIM_SUM)           \
  TESLASIM_COMBINE(type, type, type, -, list, TESLASIM_DIFFERENCE)    \
  TESLASIM_COMBINE(type, type, type, *, list, TESLASIM_PRODUCT)       \
  TESLASIM_COMBINE(type, type, scalar, *, list, TESLASIM_SCALED)      \
  TESLASIM_COMBINE(type, scalar, type, *, list, TESLASIM_SCALED_LEFT) \
  TESLASIM_COMBINE(type, type, scalar, +, list, TESLASIM_SHIFTED)     \
  TESLASIM_COMBINE(type, type, scalar, -, list, TESLASIM_LOWERED)     \
  TESLASIM_ASSIGN(type, type, +)                                      \
  TESLASIM_ASSIGN(type, type, -)                                      \
  TESLASIM_ASSIGN(type, type, *)                                      \
  TESLASIM_ASSIGN(type, scalar, *)
#define TESLASIM_REAL_ARITHMETIC(type, list)                      \
  TESLASIM_ARITHMETIC(type, float, list)                          \
  TESLASIM_COMBINE(type, type, type, /, list, TESLASIM_QUOTIENT)  \
  TESLASIM_COMBINE(type, type, float, /, list, TESLASIM_DIVIDED)  \
  TESLASIM_COMBINE(type, float, type, /, list, TESLASIM_DIVIDING) \
  TESLASIM_ASSIGN(type, type, /)                                  \
  TESLASIM_ASSIGN(type, float, /)                                 \
  TESLASIM_BOTH_SIDES type operator-(type a) {                    \
    return type{list(TESLASIM_NEGATED)};                          \
  }                                                               \
  TESLASIM_BOTH_SIDES float length(type a) {                      \
    return sqrtf(dot(a, a));                                      \
  }                                                               \
  TESLASIM_BOTH_SIDES type normalize(type a) {                    \
    return a * rsqrtf(dot(a, a));                                 \
  }                                                               \
  TESLASIM_BOTH_SIDES type lerp(type a, type b, float t) {        \
    return a + t * (b - a);                                       \
  }
TESLASIM_BOTH_SIDES float dot(float2 a, float2 b) {
  return a.x * b.x + a.y * b.y;
}
TESLASIM_BOTH_SIDES float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
TESLASIM_BOTH_SIDES float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
TESLASIM_REAL_ARITHMETIC(float2, TESLASIM_LIST_2)
TESLASIM_REAL_ARITHMETIC(float3, TESLASIM_LIST_3)
TESLASIM_REAL_ARITHMETIC(float4, TESLASIM_LIST_4)
TESLASIM_ARITHMETIC(int2, int, TESLASIM_LIST_2)
TESLASIM_ARITHMETIC(int3, int, TESLASIM_LIST_3)
TESLASIM_ARITHMETIC(int4, int, TESLASIM_LIST_4)
#undef TESLASIM_REAL_ARITHMETIC
#undef TESLASIM_ARITHMETIC
#undef TESLASIM_ASSIGN
#undef TESLASIM_COMBINE

TESLASIM_BOTH_SIDES float3 cross(float3 a, float3 b) {
  return float3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
TESLASIM_BOTH_SIDES float3 reflect(float3 direction, float3 normal) {
  return direction - 2.0F * normal * dot(normal, direction);
}
TESLASIM_BOTH_SIDES float lerp(float a, float b, float t) {
  return a + t * (b - a);
}
TESLASIM_BOTH_SIDES float clamp(float x, float low, float high) {
  return max(low, min(x, high));
}
TESLASIM_BOTH_SIDES int clamp(int x, int low, int high) {
  return max(low, min(x, high));
}

TESLASIM_BOTH_SIDES float2 make_float2(float x) {
  return float2{x, x};
}
TESLASIM_BOTH_SIDES float3 make_float3(float x) {
  return float3{x, x, x};
}
TESLASIM_BOTH_SIDES float3 make_float3(float2 a, float z) {
  return float3{a.x, a.y, z};
}
TESLASIM_BOTH_SIDES float3 make_float3(float4 a) {
  return float3{a.x, a.y, a.z};
}
TESLASIM_BOTH_SIDES float4 make_float4(float x) {
  return float4{x, x, x, x};
}
TESLASIM_BOTH_SIDES float4 make_float4(float3 a) {
  return float4{a.x, a.y, a.z, 0.0F};
}
TESLASIM_BOTH_SIDES float4 make_float4(float3 a, float w) {
  return float4{a.x, a.y, a.z, w};
}
