// SPDX-License-Identifier: Apache-2.0
// The barriers of one resident block.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

/// Sixteen barriers that count warps: a partially active warp counts as a whole. A barrier opens, and resets its count,
/// when the number of warps it asks for has arrived (envytools documentation, bar). Barriers for the whole block do not
/// wait for warps that have left (PTX ISA, exit); those for a number of threads do.
class BlockBarriers {
 public:
  static constexpr unsigned count = 16;
  static constexpr unsigned whole_block = 0xfff;

  void clear(unsigned warps) {
    warps_ = warps;
    left_ = 0;
    of_block_ = 0;
    arrived_.fill(0);
    waiting_.fill(0);
    present_.fill(0);
  }
  /// A warp (bit of `warp`) executes a barrier instruction. Returns the warps that were waiting and may now go on, the
  /// caller included, when this arrival opens the barrier; 0 otherwise.
  LaneMask execute(unsigned barrier, LaneMask warp, bool arrive, bool wait, unsigned threads) {
    if (wait) waiting_[barrier] |= warp;
    if (arrive) {
      ++arrived_[barrier];
      present_[barrier] |= warp;
    }
    of_block_ = threads == whole_block ? of_block_ | 1U << barrier : of_block_ & ~(1U << barrier);
    const unsigned needed = threads == whole_block ? needed_of_block(barrier) : (threads + warp_size - 1) / warp_size;
    return arrived_[barrier] < needed ? 0 : open(barrier);
  }
  /// A warp has ended: barriers for the whole block ask for one warp less. Returns the warps that were waiting and may
  /// now go on.
  LaneMask leave(LaneMask warp) {
    left_ |= warp;
    LaneMask released = 0;
    for (unsigned rest = of_block_; rest != 0; rest &= rest - 1) {
      const auto barrier = static_cast<unsigned>(std::countr_zero(rest));
      if (arrived_[barrier] != 0 && arrived_[barrier] >= needed_of_block(barrier)) released |= open(barrier);
    }
    return released;
  }
  [[nodiscard]] unsigned arrived(unsigned barrier) const { return arrived_[barrier]; }
  [[nodiscard]] LaneMask waiting(unsigned barrier) const { return waiting_[barrier]; }
  /// Which warps have arrived since the barrier opened last, for reports.
  [[nodiscard]] LaneMask present(unsigned barrier) const { return present_[barrier]; }
  [[nodiscard]] unsigned warps() const { return warps_; }

 private:
  /// How many arrivals a barrier for the whole block asks for. A warp that arrived and then left has arrived.
  [[nodiscard]] unsigned needed_of_block(unsigned barrier) const {
    return warps_ - static_cast<unsigned>(std::popcount(left_ & ~present_[barrier]));
  }
  LaneMask open(unsigned barrier) {
    const LaneMask released = waiting_[barrier];
    arrived_[barrier] = 0;
    waiting_[barrier] = 0;
    present_[barrier] = 0;
    return released;
  }

  unsigned warps_ = 0;
  LaneMask left_ = 0;      ///< warps that have ended and are not waited for
  unsigned of_block_ = 0;  ///< barriers that were last executed for the whole block
  std::array<unsigned, count> arrived_{};
  std::array<LaneMask, count> waiting_{};
  std::array<LaneMask, count> present_{};
};

}  // namespace teslasim
