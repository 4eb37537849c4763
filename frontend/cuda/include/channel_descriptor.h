/* SPDX-License-Identifier: Apache-2.0 */
/* cudaCreateChannelDesc<Element>(). */
#pragma once

#include "texture_types.h"
#include "vector_types.h"

template <class Scalar>
constexpr cudaChannelFormatDesc teslasim_channels(int count) {
  constexpr int bits = 8 * static_cast<int>(sizeof(Scalar));
  constexpr cudaChannelFormatKind kind =
      static_cast<Scalar>(0.5F) != static_cast<Scalar>(0)
          ? cudaChannelFormatKindFloat
          : (static_cast<Scalar>(-1) < static_cast<Scalar>(0) ? cudaChannelFormatKindSigned
                                                              : cudaChannelFormatKindUnsigned);
  return cudaChannelFormatDesc{bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}

/* An element without a row has no channels: cudaChannelFormatKindNone. */
template <class Element>
constexpr cudaChannelFormatDesc teslasim_channels_of() {
  return cudaChannelFormatDesc{0, 0, 0, 0, cudaChannelFormatKindNone};
}
#define TESLASIM_CHANNELS(element, scalar, count)                   \
  template <>                                                       \
  constexpr cudaChannelFormatDesc teslasim_channels_of<element>() { \
    return teslasim_channels<scalar>(count);                        \
  }
#define TESLASIM_ALL_CHANNELS(name, scalar) \
  TESLASIM_CHANNELS(scalar, scalar, 1)      \
  TESLASIM_CHANNELS(name##1, scalar, 1)     \
  TESLASIM_CHANNELS(name##2, scalar, 2)     \
  TESLASIM_CHANNELS(name##3, scalar, 3)     \
  TESLASIM_CHANNELS(name##4, scalar, 4)
TESLASIM_CHANNELS(char, signed char, 1)
TESLASIM_ALL_CHANNELS(char, signed char)
TESLASIM_ALL_CHANNELS(uchar, unsigned char)
TESLASIM_ALL_CHANNELS(short, short)
TESLASIM_ALL_CHANNELS(ushort, unsigned short)
TESLASIM_ALL_CHANNELS(int, int)
TESLASIM_ALL_CHANNELS(uint, unsigned int)
TESLASIM_ALL_CHANNELS(float, float)
#undef TESLASIM_CHANNELS
#undef TESLASIM_ALL_CHANNELS

template <class Element>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return teslasim_channels_of<Element>();
}
