// SPDX-License-Identifier: Apache-2.0
// How fast a full machine gets through the blocks of a launch, from the times at which its first blocks ended.
//
// By batch means (Law and Kelton 1991): ends in the order of time, in batches of one wave (what the
// machine holds at once). The first wave starts all at once and the last one runs out, so they are left out; the pace
// is the mean over the batches between them, with the interval of Student's t. The machine is in no steady state when
// the means follow a line that rises or falls by more than chance has it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace teslasim {

struct SteadyPace {
  /// Waves without which there is no pace: three batches, between a start and a tail.
  static constexpr std::uint64_t least_waves = 5;
  /// Lines that rise or fall by less are no reason to doubt, however regular they are.
  static constexpr double tolerated_trend = 0.02;

  double femtoseconds_per_block = 0.0;
  double bound = 0.0;  ///< of that, at 95 %
  double trend = 0.0;  ///< the line through the means, from the first to the last batch, as a part of their mean
  bool steady = true;  ///< the trend may be chance, or is small
};

/// `ends`: of so many blocks that the machine was full all the time, in any order. Precondition: `least_waves` waves of
/// `wave` blocks or more.
[[nodiscard]] SteadyPace steady_pace(std::vector<Femtoseconds> ends, std::uint64_t wave);

}  // namespace teslasim
