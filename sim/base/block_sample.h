// SPDX-License-Identifier: Apache-2.0
// A launch of which some blocks ran in time and the others by function alone: what that says of its time. The counters
// of such a launch are those of its timed blocks.
#pragma once

#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

struct BlockSample {
  std::uint64_t waves = 0;  ///< that were asked for
  std::uint64_t timed_blocks = 0;
  std::uint64_t function_blocks = 0;  ///< that ended
  std::uint64_t function_warp_instructions = 0;
  SpCycle cycles = 0;  ///< extrapolated, of the whole launch
  SpCycle cycles_bound = 0;
  Femtoseconds time = 0;
  Femtoseconds bound = 0;   ///< the launch takes between time - bound and time + bound, at 95 %
  double work_ratio = 1.0;  ///< warp instructions of a block by function, over those of a timed one
  double trend = 0.0;       ///< see SteadyPace
  bool steady = true;

  /// Of a sum of launches. Their blocks are of one kernel and wrong in one direction: bounds are added.
  BlockSample& operator+=(const BlockSample& other);
};

}  // namespace teslasim
