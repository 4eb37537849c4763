// SPDX-License-Identifier: Apache-2.0
// From the texels of one warp's texture read to the pieces of memory that hold them.
#pragma once

#include <span>

#include "memory/image/texture_access.h"
#include "memory/tpc/coalescer.h"

namespace teslasim {

/// Texels are read in aligned pieces: lines of the texture cache, of 32 bytes on all known chips.
inline constexpr unsigned texture_segment_bytes = 32;
inline constexpr unsigned max_texture_segments = warp_size * TextureAccess::most_texels;

/// Stands for the address side of the texture unit: half a warp at a time, lower half first, each piece of memory that
/// holds one of its texels once, in the order in which lanes and texels first ask for it. Lanes outside of the image
/// ask for its first piece. `out` has room for max_texture_segments. Time is modelled in
/// memory/texture. Not modelled: merging between the halves.
unsigned texture_segments(const TextureAccess& access, LaneMask lanes, std::span<CoalescedTransaction> out,
                          unsigned piece_bytes = texture_segment_bytes);

}  // namespace teslasim
