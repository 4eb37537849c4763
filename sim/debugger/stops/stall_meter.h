// SPDX-License-Identifier: Apache-2.0
// How the warps of an SM spend an interval of time: for a stop when too many of their cycles go to one state.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/slot_reason.h"
#include "sim/base/types.h"
#include "sim/debugger/commands/command.h"

namespace teslasim {

class Sm;
struct WarpView;

/// Adds up the states of the resident warps as they are in each cycle. A warp whose unit is busy counts as ready
/// (`not_selected`): the statistics of a run part the two when the warp has issued.
class StallMeter {
 public:
  static constexpr SmCycle interval = 128;  ///< begins at multiples of it

  void begin() { counts_ = {}; }
  /// The warps were there, in these states, in the cycles [begin, end) of one interval.
  void add(const Sm& sm, const std::vector<WarpView>& warps, SmCycle begin, SmCycle end);
  /// Cycles of warps in the state, of all, since the interval began.
  struct Share {
    std::uint64_t part = 0, whole = 0;
    [[nodiscard]] bool above(unsigned percent) const { return part * 100 > whole * percent; }
  };
  [[nodiscard]] Share share_of(std::string_view state) const;

 private:
  PerReason<> counts_;
};

}  // namespace teslasim
