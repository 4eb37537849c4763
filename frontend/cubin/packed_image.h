// SPDX-License-Identifier: Apache-2.0
// Compressed entries of fat binaries.
//
// nvcc of CUDA 4.0 and later may pack what it puts into a fat binary: runs of plain bytes alternate with copies of
// earlier ones, in the block layout of LZ4. The entry says how long the bytes are unpacked; a block that does not give
// exactly that many is damaged or packed in another way. Not modelled: the other methods (zstd of CUDA 12).
// Sources: Collet 2011 (LZ4 block format); Eiling 2023 (fat binaries use it, and where the lengths stand).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace teslasim {

/// The `size` bytes that `packed` stands for; nothing when it is damaged: cut, of another length, or followed
/// by something else.
[[nodiscard]] std::optional<std::string> unpacked_image(std::string_view packed, std::uint64_t size);

}  // namespace teslasim
