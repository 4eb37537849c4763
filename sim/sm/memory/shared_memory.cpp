// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/shared_memory.h"

#include "sim/sm/memory/access_groups.h"

namespace teslasim {

void SharedMemory::accept(InFlightInstruction& record, const OnChipAccess& access) {
  ++accesses_;
  if (banks_.serve_at_once(access)) {  // no pass is left for replays
    OnChipStatistics& statistics = record.counts->shared;
    statistics.accesses += access.half.size();
    statistics.degree[1] += access.half.size();
    return;
  }
  count_passes(access, banks_.access_group(), Replays::Memory::shared, record.replays, record.counts->shared,
               [&](unsigned first_lane) { return banks_.serve(access, first_lane); });
}

}  // namespace teslasim
