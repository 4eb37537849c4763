// SPDX-License-Identifier: Apache-2.0
// The warp that stands for all in interval analysis.
#pragma once

#include <cstddef>
#include <vector>

namespace teslasim {

/// What one warp of a block does when it is alone.
struct WarpLoad {
  double instructions = 0.0;  ///< issued, replays included
  double cycles = 0.0;        ///< SP cycles, every result after its unloaded latency
};

/// Two clusters of the warps, by their instructions and by their instructions per cycle, each over its mean (k-means);
/// the warp nearest to the centre of the larger cluster (Huang et al. 2014, section III). Of clusters of one size the
/// one with more instructions, of equal warps the first. Starts from the warps with fewest and most instructions, so
/// that the same warps give the same answer. Precondition: at least one warp.
[[nodiscard]] std::size_t representative_warp(const std::vector<WarpLoad>& warps);

}  // namespace teslasim
