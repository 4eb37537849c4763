// SPDX-License-Identifier: Apache-2.0
// + - * / on int2 to float4: of two vectors, of a vector and a number, and with assignment, as in the samples.
#pragma once

#include "cuda_runtime.h"

/// As a template: a program's own function with the same parameters comes first, and is no second definition.
#define TESLASIM_SAMPLE_FUNCTION \
  template <int = 0>             \
  TESLASIM_BOTH_SIDES

#define TESLASIM_PAIRS_2(sign) a.x sign b.x, a.y sign b.y
#define TESLASIM_PAIRS_3(sign) TESLASIM_PAIRS_2(sign), a.z sign b.z
#define TESLASIM_PAIRS_4(sign) TESLASIM_PAIRS_3(sign), a.w sign b.w
#define TESLASIM_RIGHT_2(sign) a.x sign b, a.y sign b
#define TESLASIM_RIGHT_3(sign) TESLASIM_RIGHT_2(sign), a.z sign b
#define TESLASIM_RIGHT_4(sign) TESLASIM_RIGHT_3(sign), a.w sign b
#define TESLASIM_LEFT_2(sign) a sign b.x, a sign b.y
#define TESLASIM_LEFT_3(sign) TESLASIM_LEFT_2(sign), a sign b.z
#define TESLASIM_LEFT_4(sign) TESLASIM_LEFT_3(sign), a sign b.w
#define TESLASIM_NEGATED_2 -a.x, -a.y
#define TESLASIM_NEGATED_3 TESLASIM_NEGATED_2, -a.z
#define TESLASIM_NEGATED_4 TESLASIM_NEGATED_3, -a.w

#define TESLASIM_OPERATOR(name, scalar, size, sign)                               \
  TESLASIM_SAMPLE_FUNCTION name##size operator sign(name##size a, name##size b) { \
    return name##size{TESLASIM_PAIRS_##size(sign)};                               \
  }                                                                               \
  TESLASIM_SAMPLE_FUNCTION name##size operator sign(name##size a, scalar b) {     \
    return name##size{TESLASIM_RIGHT_##size(sign)};                               \
  }                                                                               \
  TESLASIM_SAMPLE_FUNCTION name##size operator sign(scalar a, name##size b) {     \
    return name##size{TESLASIM_LEFT_##size(sign)};                                \
  }                                                                               \
  TESLASIM_SAMPLE_FUNCTION void operator sign##=(name##size& a, name##size b) {   \
    a = a sign b;                                                                 \
  }                                                                               \
  TESLASIM_SAMPLE_FUNCTION void operator sign##=(name##size& a, scalar b) {       \
    a = a sign b;                                                                 \
  }
#define TESLASIM_OPERATORS(name, scalar, size) \
  TESLASIM_OPERATOR(name, scalar, size, +)     \
  TESLASIM_OPERATOR(name, scalar, size, -)     \
  TESLASIM_OPERATOR(name, scalar, size, *)     \
  TESLASIM_OPERATOR(name, scalar, size, /)
#define TESLASIM_NEGATION(name, size)                           \
  TESLASIM_SAMPLE_FUNCTION name##size operator-(name##size a) { \
    return name##size{TESLASIM_NEGATED_##size};                 \
  }
TESLASIM_OPERATORS(float, float, 2)
TESLASIM_OPERATORS(float, float, 3)
TESLASIM_OPERATORS(float, float, 4)
TESLASIM_OPERATORS(int, int, 2)
TESLASIM_OPERATORS(int, int, 3)
TESLASIM_OPERATORS(int, int, 4)
TESLASIM_OPERATORS(uint, unsigned int, 2)
TESLASIM_OPERATORS(uint, unsigned int, 3)
TESLASIM_OPERATORS(uint, unsigned int, 4)
TESLASIM_NEGATION(float, 2)
TESLASIM_NEGATION(float, 3)
TESLASIM_NEGATION(float, 4)
TESLASIM_NEGATION(int, 2)
TESLASIM_NEGATION(int, 3)
TESLASIM_NEGATION(int, 4)
#undef TESLASIM_OPERATOR
#undef TESLASIM_OPERATORS
#undef TESLASIM_NEGATION
