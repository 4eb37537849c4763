// SPDX-License-Identifier: Apache-2.0
// The cycles of a graph: blocks that all reach each other.
//
// Source: Tarjan 1972, "Depth-first search and linear graph algorithms".
#pragma once

#include <vector>

#include "frontend/compiler/flow_graph.h"

namespace teslasim::compiler {

/// The strongly connected components with an edge in them, of the graph of the blocks `within` alone.
[[nodiscard]] std::vector<std::vector<BlockIndex>> cycles_among(const FlowGraph& graph,
                                                                const std::vector<BlockIndex>& within);

}  // namespace teslasim::compiler
