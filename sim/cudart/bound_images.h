// SPDX-License-Identifier: Apache-2.0
// What a texture reference is bound to: memory, rows of memory, an array. For both interfaces of CUDA.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cudart/array_table.h"
#include "sim/cudart/session.h"
#include "sim/cudart/texture_state.h"

namespace teslasim::cudart {

/// Rows of texels in device memory, `pitch` bytes apart.
struct TexelRows {
  const void* pointer = nullptr;
  std::size_t width = 0, height = 0;  ///< texels
  std::size_t pitch = 0;
};

/// Each fills the image of `state.bound`, whose format is set already. An image begins at a multiple of 256 bytes:
/// `offset` gets the bytes from there to `pointer`; without it such a pointer is an error, which is said.
cudaError_t bind_words(Session& session, const char* call, TextureState& state, std::size_t* offset,
                       const void* pointer, std::uint64_t size);
cudaError_t bind_rows(Session& session, const char* call, TextureState& state, std::size_t* offset,
                      const TexelRows& rows);
cudaError_t bind_array(TextureState& state, const ArrayState& array);

}  // namespace teslasim::cudart
