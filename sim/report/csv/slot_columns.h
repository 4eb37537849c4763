// SPDX-License-Identifier: Apache-2.0
// The columns of pc.csv that hold issue slots, from the rows of slot_reason.def.
#pragma once

#include <string>
#include <vector>

#include "sim/base/slot_reason.h"

namespace teslasim {

/// The slots of some reasons together.
struct SlotColumn {
  std::string name;   ///< "stall_pipe"
  std::string label;  ///< what it is called in the report: "mem.global"; "pipe" for what all of pipe.* share
  std::vector<SlotReason> reasons;
};

/// Every reason of view A is in exactly one column, so the columns of a line sum to its slots. By group and rank.
[[nodiscard]] const std::vector<SlotColumn>& slot_columns();

}  // namespace teslasim
