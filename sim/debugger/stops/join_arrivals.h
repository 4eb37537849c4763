// SPDX-License-Identifier: Apache-2.0
// What a warp passes on its way to the next instruction: joins, at which the lanes of one path wait for those of
// others.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program.h"
#include "sim/exec/warp_control.h"

namespace teslasim {

struct JoinArrival {
  std::uint32_t index = 0;  ///< of the instruction with the join flag
  LaneMask lanes = 0;       ///< that come there now: those of one path
};

/// `control` is that of the warp behind an instruction, joins not done; its stack is read only.
[[nodiscard]] std::vector<JoinArrival> join_arrivals(WarpControl control, const Kernel& kernel);

}  // namespace teslasim
