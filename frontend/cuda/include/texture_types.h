/* SPDX-License-Identifier: Apache-2.0 */
/* Texture references, as in CUDA 2.x to 11.x. */
#pragma once

#include "driver_types.h"

enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int teslasim_reserved[16];
};

#if defined(__cplusplus)
/** The description of the channels of an element: `char4` has four of 8 bits. */
template <class Element>
constexpr cudaChannelFormatDesc teslasim_channels_of();

#if defined(__CUDA__)
#define TESLASIM_TEXTURE __attribute__((device_builtin_texture_type))
#else
#define TESLASIM_TEXTURE
#endif
/** For clang a variable of this type is a `.texref` on the device; on the host it is what programs set. */
template <class Element, int dimensions = 1, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct TESLASIM_TEXTURE texture : public textureReference {
  __host__ constexpr texture(int is_normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                             enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{is_normalized, filter, {address, address, address}, teslasim_channels_of<Element>(), {}} {}
  __host__ constexpr texture(int is_normalized, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
                             struct cudaChannelFormatDesc channels)
      : textureReference{is_normalized, filter, {address, address, address}, channels, {}} {}
};
#endif
