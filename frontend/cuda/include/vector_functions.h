/* SPDX-License-Identifier: Apache-2.0 */
/* make_char1 to make_double4. */
#pragma once

#include "vector_types.h"

#define TESLASIM_MAKERS(name, type)                                            \
  TESLASIM_BOTH_SIDES name##1 make_##name##1(type x) {                         \
    const name##1 made = {x};                                                  \
    return made;                                                               \
  }                                                                            \
  TESLASIM_BOTH_SIDES name##2 make_##name##2(type x, type y) {                 \
    const name##2 made = {x, y};                                               \
    return made;                                                               \
  }                                                                            \
  TESLASIM_BOTH_SIDES name##3 make_##name##3(type x, type y, type z) {         \
    const name##3 made = {x, y, z};                                            \
    return made;                                                               \
  }                                                                            \
  TESLASIM_BOTH_SIDES name##4 make_##name##4(type x, type y, type z, type w) { \
    const name##4 made = {x, y, z, w};                                         \
    return made;                                                               \
  }
TESLASIM_MAKERS(char, signed char)
TESLASIM_MAKERS(uchar, unsigned char)
TESLASIM_MAKERS(short, short)
TESLASIM_MAKERS(ushort, unsigned short)
TESLASIM_MAKERS(int, int)
TESLASIM_MAKERS(uint, unsigned int)
TESLASIM_MAKERS(long, long)
TESLASIM_MAKERS(ulong, unsigned long)
TESLASIM_MAKERS(longlong, long long)
TESLASIM_MAKERS(ulonglong, unsigned long long)
TESLASIM_MAKERS(float, float)
TESLASIM_MAKERS(double, double)
#undef TESLASIM_MAKERS
