// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/shared_memory.h"

#include "sim/exec/conflict_degree.h"
#include "sim/sm/memory/access_groups.h"

namespace teslasim {

void SharedMemory::accept(InFlightInstruction& record, const OnChipAccess& access) {
  count_passes(
      access, spec_.access_group, Replays::Memory::shared, record.replays, record.counts->shared,
      [&](unsigned first_lane) { return shared_passes(access, first_lane, spec_.access_group, spec_.banks, banks_); });
}

}  // namespace teslasim
