// SPDX-License-Identifier: Apache-2.0
// Copies of boxes between pitched memory, of host or device, and CUDA arrays.
#pragma once

#include <array>
#include <cstddef>

#include "sim/cudart/array_table.h"
#include "sim/cudart/copies.h"

namespace teslasim::cudart {

/// One end: an array, or rows and slices of memory. `x` counts bytes in memory and in arrays alike.
struct VolumeEnd {
  const ArrayState* array = nullptr;
  std::byte* pointer = nullptr;
  std::size_t pitch = 0, slice = 0;  ///< bytes from row to row, from slice to slice
  std::array<std::size_t, 3> at{};   ///< bytes, rows, slices
};

/// `box`: bytes, rows, slices.
cudaError_t copy_volume(Session& session, const CopyCall& call, const VolumeEnd& to, const VolumeEnd& from,
                        std::array<std::size_t, 3> box);

}  // namespace teslasim::cudart
