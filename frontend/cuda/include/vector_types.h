/* SPDX-License-Identifier: Apache-2.0 */
/* char1 to double4 and dim3, with the sizes and alignments of CUDA on a 64-bit host. */
#pragma once

#include "host_defines.h"

/* A struct's name alone is a type in C++ only. */
#if defined(__cplusplus)
#define TESLASIM_VECTOR_NAMES(one, two, three, four)
#else
#define TESLASIM_VECTOR_NAMES(one, two, three, four) \
  typedef struct one one;                            \
  typedef struct two two;                            \
  typedef struct three three;                        \
  typedef struct four four;
#endif
#define TESLASIM_VECTORS(name, type, align2, align4) \
  struct name##1 {                                   \
    type x;                                          \
  };                                                 \
  struct __align__(align2) name##2 {                 \
    type x, y;                                       \
  };                                                 \
  struct name##3 {                                   \
    type x, y, z;                                    \
  };                                                 \
  struct __align__(align4) name##4 {                 \
    type x, y, z, w;                                 \
  };                                                 \
  TESLASIM_VECTOR_NAMES(name##1, name##2, name##3, name##4)
TESLASIM_VECTORS(char, signed char, 2, 4)
TESLASIM_VECTORS(uchar, unsigned char, 2, 4)
TESLASIM_VECTORS(short, short, 4, 8)
TESLASIM_VECTORS(ushort, unsigned short, 4, 8)
TESLASIM_VECTORS(int, int, 8, 16)
TESLASIM_VECTORS(uint, unsigned int, 8, 16)
TESLASIM_VECTORS(long, long, 16, 16)
TESLASIM_VECTORS(ulong, unsigned long, 16, 16)
TESLASIM_VECTORS(longlong, long long, 16, 16)
TESLASIM_VECTORS(ulonglong, unsigned long long, 16, 16)
TESLASIM_VECTORS(float, float, 8, 16)
TESLASIM_VECTORS(double, double, 16, 16)
#undef TESLASIM_VECTORS
#undef TESLASIM_VECTOR_NAMES

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ constexpr dim3(unsigned int width = 1, unsigned int height = 1, unsigned int depth = 1)
      : x(width), y(height), z(depth) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const {
    return uint3{x, y, z};
  }
#endif
};
#if !defined(__cplusplus)
typedef struct dim3 dim3;
#endif
