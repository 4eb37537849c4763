// SPDX-License-Identifier: Apache-2.0
// The order in which blocks stand in the code: a block before its successors, loops in one piece, routines behind all.
#pragma once

#include <vector>

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

[[nodiscard]] std::vector<BlockIndex> block_order(const MachineFunction& function);

}  // namespace teslasim::compiler
