// SPDX-License-Identifier: Apache-2.0
// The instruction fetch port of one SM.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

/// Each SM cycle one instruction is fetched for a warp whose slot in the instruction queue is free (Collange 2010,
/// section 8.1). This class hands out the port's cycles: a warp asks for the first free one not before `earliest`.
/// Not modelled: instruction cache misses (every fetch hits), the 64-byte fetch block.
class FetchUnit {
 public:
  /// Reserves the port; returns the cycle of the fetch. `now` is the current cycle, earliest > now.
  Cycle reserve(Cycle now, Cycle earliest) {
    advance(now);
    Cycle offset = earliest - base_;
    if (offset >= window) return earliest;  // beyond the window no contention is tracked
    const std::uint64_t free = ~taken_ & (~std::uint64_t{0} << offset);
    if (free == 0) return base_ + window;
    offset = static_cast<Cycle>(std::countr_zero(free));
    taken_ |= std::uint64_t{1} << offset;
    return base_ + offset;
  }

  void clear() { *this = FetchUnit{}; }

 private:
  static constexpr Cycle window = 64;

  void advance(Cycle now) {
    const Cycle shift = now - base_;
    taken_ = shift >= window ? 0 : taken_ >> shift;
    base_ = now;
  }

  Cycle base_ = 0;           ///< cycle of bit 0
  std::uint64_t taken_ = 0;  ///< one bit per cycle of the port
};

}  // namespace teslasim
