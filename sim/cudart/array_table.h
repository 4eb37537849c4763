// SPDX-License-Identifier: Apache-2.0
// CUDA arrays: images that only textures and copies reach, stored in tiles as the driver stores them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/cuda/include/driver_types.h"
#include "memory/image/texture.h"
#include "sim/cudart/device_heap.h"

namespace teslasim::cudart {

struct ArrayState {
  cudaChannelFormatDesc channels{};
  TextureImage image;
  /// Bytes of a row.
  [[nodiscard]] std::size_t row_bytes() const { return std::size_t{image.size[0]} * image.format.bytes(); }
};

/// What a texel of these channels is; nothing for channels that no texture unit reads.
[[nodiscard]] std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& channels);

/// By the numbers that handles are.
class ArrayTable {
 public:
  /// `extents`: texels; 0 in a direction that the array has not. Nothing when the board is full.
  [[nodiscard]] std::optional<std::size_t> create(const cudaChannelFormatDesc& channels, const TexelFormat& format,
                                                  std::array<std::size_t, 3> extents, DeviceHeap& heap,
                                                  const CallSite& site);
  [[nodiscard]] bool destroy(std::size_t number, DeviceHeap& heap);
  [[nodiscard]] const ArrayState* find(std::size_t number) const;
  /// Device memory is gone.
  void clear();

 private:
  std::vector<std::optional<ArrayState>> arrays_{std::nullopt};  ///< 0 is no array
};

}  // namespace teslasim::cudart
