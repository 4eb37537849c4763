// SPDX-License-Identifier: Apache-2.0
// Fewer blocks: branches on constants, blocks that nobody reaches, chains and empty blocks.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

bool simplify_control_flow(IrFunction& function);

/// Takes `from` out of the predecessors of `block`, and its arguments out of the phis.
void remove_predecessor(IrFunction& function, BlockIndex block, BlockIndex from);

}  // namespace teslasim::compiler
