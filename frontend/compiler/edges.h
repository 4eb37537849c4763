// SPDX-License-Identifier: Apache-2.0
// New blocks on edges.
#pragma once

#include <vector>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// A block that the edges from `sources` to `target` pass from now on; values of phis meet there.
BlockIndex split_edges(IrFunction& function, const std::vector<BlockIndex>& sources, BlockIndex target);

/// Edges from a block with several ways on to one with phis get a block of their own, where the phis can be assigned.
/// An edge back in a loop needs none when what the phis hold is not read behind the loop.
void split_critical_edges(IrFunction& function);

}  // namespace teslasim::compiler
