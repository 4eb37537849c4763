// SPDX-License-Identifier: Apache-2.0
// The barriers of one resident block.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

/// Sixteen barriers that count warps: a partially active warp counts as a whole, a finished warp never arrives. A
/// barrier opens, and resets its count, when the number of warps it asks for has arrived (envytools documentation,
/// bar).
class BlockBarriers {
 public:
  static constexpr unsigned count = 16;
  static constexpr unsigned whole_block = 0xfff;

  void clear(unsigned warps) {
    warps_ = warps;
    arrived_.fill(0);
    waiting_.fill(0);
    present_.fill(0);
  }
  /// A warp (bit of `warp`) executes a barrier instruction. Returns the warps that were waiting and may now go on, the
  /// caller included, when this arrival opens the barrier; 0 otherwise.
  LaneMask execute(unsigned barrier, LaneMask warp, bool arrive, bool wait, unsigned threads) {
    const unsigned needed = threads == whole_block ? warps_ : (threads + warp_size - 1) / warp_size;
    if (wait) waiting_[barrier] |= warp;
    if (arrive) {
      ++arrived_[barrier];
      present_[barrier] |= warp;
    }
    if (arrived_[barrier] < needed) return 0;
    const LaneMask released = waiting_[barrier];
    arrived_[barrier] = 0;
    waiting_[barrier] = 0;
    present_[barrier] = 0;
    return released;
  }
  [[nodiscard]] unsigned arrived(unsigned barrier) const { return arrived_[barrier]; }
  [[nodiscard]] LaneMask waiting(unsigned barrier) const { return waiting_[barrier]; }
  /// Which warps have arrived since the barrier opened last, for reports.
  [[nodiscard]] LaneMask present(unsigned barrier) const { return present_[barrier]; }
  [[nodiscard]] unsigned warps() const { return warps_; }

 private:
  unsigned warps_ = 0;
  std::array<unsigned, count> arrived_{};
  std::array<LaneMask, count> waiting_{};
  std::array<LaneMask, count> present_{};
};

}  // namespace teslasim
