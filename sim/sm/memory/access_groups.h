// SPDX-License-Identifier: Apache-2.0
// Passes of an on-chip access, group by group.
#pragma once

#include <algorithm>

#include "sim/base/launch_statistics.h"
#include "sim/exec/warp_inst.h"
#include "sim/sm/replays.h"

namespace teslasim {

/// Counts the passes of each group of `group_lanes` lanes that the access has lanes in: `degree_of(first_lane)` of
/// them, the first one issued already.
template <class DegreeOf>
void count_passes(const OnChipAccess& access, unsigned group_lanes, Replays::Memory memory, Replays& replays,
                  OnChipStatistics& statistics, DegreeOf&& degree_of) {
  const LaneMask group_mask = group_lanes >= warp_size ? all_lanes : (LaneMask{1} << group_lanes) - 1;
  for (unsigned group = 0; group * group_lanes < warp_size; ++group) {
    const unsigned first_lane = group * group_lanes;
    if (((access.lanes >> first_lane) & group_mask) == 0) continue;
    const unsigned degree = degree_of(first_lane);
    ++statistics.accesses;
    statistics.replays += degree - 1;
    ++statistics.degree[std::min<std::size_t>(degree, statistics.degree.size() - 1)];
    replays.add(memory, group, degree);
  }
}

}  // namespace teslasim
