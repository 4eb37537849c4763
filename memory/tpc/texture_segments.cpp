// SPDX-License-Identifier: Apache-2.0
#include "memory/tpc/texture_segments.h"

#include <algorithm>
#include <bit>

namespace teslasim {

unsigned texture_segments(const TextureAccess& access, LaneMask lanes, std::span<CoalescedTransaction> out,
                          unsigned piece_bytes) {
  constexpr LaneMask lower_half = 0xffffU;
  unsigned n = 0;
  for (const LaneMask half : {lanes & lower_half, lanes & ~lower_half}) {
    const unsigned first = n;
    for (LaneMask rest = half; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      for (unsigned texel = 0; texel < access.texels; ++texel) {
        const Address address = access.address[texel][lane] & ~(piece_bytes - 1U);
        const auto known = std::find_if(out.begin() + first, out.begin() + n,
                                        [address](const CoalescedTransaction& t) { return t.address == address; });
        if (known != out.begin() + n) {
          known->lanes |= LaneMask{1} << lane;
        } else {
          out[n++] = {address, static_cast<std::uint16_t>(piece_bytes), LaneMask{1} << lane};
        }
      }
    }
  }
  return n;
}

}  // namespace teslasim
