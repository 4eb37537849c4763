// SPDX-License-Identifier: Apache-2.0
// The accesses of one warp instruction to the memories, with what the timing makes of them.
#pragma once

#include <vector>

#include "memory/tpc/coalescer.h"
#include "sim/base/lane_record.h"
#include "sim/exec/warp_inst.h"

namespace teslasim {

/// The shape of shared memory.
struct SharedBanks {
  unsigned banks = 16;
  unsigned group = 16;  ///< lanes that are served together
};

/// In the order shared, constant, device memory. Texture reads have no transactions here: texels are found later.
[[nodiscard]] std::vector<LaneAccess> accesses_of(const WarpInst& record, const CoalescingRules& rules,
                                                  SharedBanks banks);

}  // namespace teslasim
