// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/constant_port.h"

#include "sim/exec/conflict_degree.h"
#include "sim/exec/kernel_placement.h"
#include "sim/sm/memory/access_groups.h"

namespace teslasim {

bool ConstantPort::accept(InFlightInstruction& record, const OnChipAccess& access, SmCycle now) {
  ++accesses_;
  if (record.timing->on_chip) {
    count_passes(
        access, access_group_, Replays::Memory::constant, record.replays, record.counts->constant,
        [&](unsigned first_lane) { return access.uniform ? 1U : constant_passes(access, first_lane, access_group_); });
  }
  const Address base = KernelPlacement::constant_bank(record.timing->constant_bank);
  if (cache_.read(record.warp, base, access, now)) return true;
  ++record.counts->constant.retries;
  return false;
}

}  // namespace teslasim
