// SPDX-License-Identifier: Apache-2.0
// The basic blocks of a PTX function and the edges between them.
#pragma once

#include <vector>

#include "frontend/compiler/flow_graph.h"
#include "frontend/ptx/ptx_tree.h"

namespace teslasim::compiler {

/// An instruction where it stands. Pointers go into the module, which must outlive them.
struct BlockInstruction {
  const ptx::PtxInstruction* instruction = nullptr;
  const ptx::PtxScope* scope = nullptr;    ///< innermost one, for its names
  const ptx::PtxLineMark* line = nullptr;  ///< the .loc before it; nullptr: none yet
};

/// Instructions that follow each other in every case; only the last may branch or end.
struct BasicBlock {
  std::vector<BlockInstruction> instructions{};
};

struct FunctionBlocks {
  std::vector<BasicBlock> blocks{};  ///< in the order of the text; may be empty
  FlowGraph graph{0};
};

/// Of a checked function with a body. The first successor of a block that branches is the target. A guarded ret, exit
/// or trap has only the edge to what follows: threads that end do not come to any join.
[[nodiscard]] FunctionBlocks blocks_of(const ptx::PtxFunction& function);

}  // namespace teslasim::compiler
