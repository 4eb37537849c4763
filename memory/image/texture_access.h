// SPDX-License-Identifier: Apache-2.0
// One warp's texture read: from coordinates to the addresses of texels, and from texels to values.
#pragma once

#include <array>
#include <cstdint>

#include "memory/image/texture.h"
#include "sim/base/types.h"

namespace teslasim {

class DeviceMemory;

/// Device addresses [begin, end).
struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = std::uint64_t{1} << 32U;
};

/// The texels that 32 lanes read. Made when the instruction issues; texels are fetched by whoever serves them (a
/// partition, a texture cache), in parts and in the order of time; filtered when the last has arrived.
struct TextureAccess {
  static constexpr unsigned most_texels = 8;  ///< of one lane: linear filtering in three dimensions

  TexelFormat format;
  bool normalised_values = false;
  bool linear = true;            ///< the image is linear in memory
  std::uint8_t texels = 1;       ///< per lane: 1 unfiltered, 2, 4 or 8 filtered
  std::uint8_t result_mask = 0;  ///< components that the instruction wants, x lowest
  LaneMask inside = 0;           ///< lanes whose texels exist; the others read 0 (integer coordinates only)
  /// address[texel][lane]: bit 0 of the texel's number is its step in x, bit 1 in y, bit 2 in z. Lanes not inside have
  /// the address of the image.
  alignas(64) std::array<std::array<std::uint32_t, warp_size>, most_texels> address{};
  /// weight[axis][lane] of the texel one step further, 0..256: eight fractional bits, and 1 exactly.
  alignas(64) std::array<std::array<std::uint16_t, warp_size>, 3> weight{};
  /// raw[texel][word][lane]: the bytes of the texel, lowest word first.
  alignas(64) std::array<std::array<std::array<std::uint32_t, warp_size>, 4>, most_texels> raw{};
};

/// Coordinate registers of 32 lanes, as many as the image has dimensions, and constant offsets in texels.
struct TextureCoordinates {
  std::array<const std::uint32_t*, 3> axis{};  ///< rows of floats or, for `integer`, of signed integers
  std::array<int, 3> offset{};
  bool integer = false;
};

/// Fills addresses and weights of `access` for `lanes`. Coordinates are exact here: the chip's own conversion to fixed
/// point is not known. Integer coordinates are never filtered or clamped: outside, 0 is read.
void locate_texels(const TextureImage& image, const TextureSampler& sampler, const TextureCoordinates& coordinates,
                   LaneMask lanes, TextureAccess& access);

/// Reads those texels of `lanes` that lie in `range`.
void fetch_texels(TextureAccess& access, LaneMask lanes, const AddressRange& range, const DeviceMemory& memory);

/// values[component][lane] from the fetched texels. Unfiltered 32-bit values are passed bit for bit. Filtered values
/// are the exact weighted sum rounded once; the order of the chip's own arithmetic is not known. Components that the
/// format does not have are 0.
void filter_texels(const TextureAccess& access, LaneMask lanes,
                   std::array<std::array<std::uint32_t, warp_size>, 4>& values);

}  // namespace teslasim
