// SPDX-License-Identifier: Apache-2.0
// What a texture slot holds during a launch: an image in device memory and how it is read.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace teslasim {

struct TexelFormat {
  enum class Kind : std::uint8_t { unsigned_integer, signed_integer, real };
  Kind kind = Kind::real;
  std::uint8_t bits = 32;       ///< of one component: 8, 16, 32 (real: 16, 32)
  std::uint8_t components = 1;  ///< 1, 2, 4
  [[nodiscard]] constexpr unsigned bytes() const { return bits / 8U * components; }
};

/// Stands for the image part of a texture header. A linear image has rows `pitch_bytes` apart, slices `pitch_bytes` x
/// height apart. A tiled one (what the driver makes of a CUDA array) is a row of rows of 256-byte tiles, each 64 bytes
/// by 4 rows, so that neighbours in both directions are near each other in memory; the tile is that of the G80 memory
/// controller (envytools documentation, G80 surface formats). Not modelled: mipmap levels, cube maps, block heights
/// above one tile, compressed and packed formats.
struct TextureImage {
  enum class Layout : std::uint8_t { linear, tiled };
  Address address = 0;
  TexelFormat format;
  Layout layout = Layout::linear;
  std::uint8_t dimensions = 0;                 ///< 1 to 3; 0: nothing is bound
  std::array<std::uint32_t, 3> size{1, 1, 1};  ///< texels
  std::uint32_t pitch_bytes = 0;               ///< linear images

  /// Where texel (x, y, z) is, from `address` on. Precondition: inside the image.
  [[nodiscard]] std::uint64_t offset(std::uint32_t x, std::uint32_t y, std::uint32_t z) const;
  /// Bytes from `address` on that the image takes.
  [[nodiscard]] std::uint64_t bytes() const;
};

/// Stands for a sampler: how coordinates become texels and texels become values (CUDA Programming Guide 2.3, appendix
/// D).
struct TextureSampler {
  enum class AddressMode : std::uint8_t { clamp, wrap };
  bool linear_filter = false;
  bool normalised_coordinates = false;
  bool normalised_values = false;  ///< integers of 8 and 16 bits are read as [0, 1] or [-1, 1]
  std::array<AddressMode, 3> address_mode{};
};

struct Texture {
  std::string name;  ///< for messages
  TextureImage image;
  TextureSampler sampler;
  [[nodiscard]] bool bound() const { return image.dimensions != 0; }
};

}  // namespace teslasim
