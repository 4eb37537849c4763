// SPDX-License-Identifier: Apache-2.0
// Which warps became resident before which others.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

/// Age of warps by the time at which they became resident; within a block the lowest warp counts as the oldest. Shared
/// by the policies that prefer old warps.
class ResidenceOrder {
 public:
  void arrive(unsigned first, unsigned count) {
    for (WarpSlot warp = first; warp < first + count; ++warp) arrival_[warp] = next_++;
  }
  /// The oldest of a non-empty set of warps.
  [[nodiscard]] unsigned oldest(LaneMask warps) const {
    auto best = static_cast<unsigned>(std::countr_zero(warps));
    for (LaneMask rest = warps & (warps - 1); rest != 0; rest &= rest - 1) {
      const auto warp = static_cast<unsigned>(std::countr_zero(rest));
      if (arrival_[warp] < arrival_[best]) best = warp;
    }
    return best;
  }

 private:
  std::array<std::uint64_t, warp_size> arrival_{};
  std::uint64_t next_ = 0;
};

}  // namespace teslasim
