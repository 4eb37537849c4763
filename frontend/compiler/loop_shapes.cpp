// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loop_shapes.h"

#include "frontend/compiler/edges.h"
#include "frontend/compiler/loops.h"

namespace teslasim::compiler {
namespace {

using Blocks = std::vector<BlockIndex>;

/// Where all threads that leave the loop of these ways back meet; no_block: behind the end.
BlockIndex meeting_behind(const DominatorTree& after, const NaturalLoop& loop) {
  BlockIndex meeting = after.parent(loop.header);
  while (meeting != no_block && loop.contains[meeting]) meeting = after.parent(meeting);
  return meeting;
}

/// The ways into the header from outside of the inner loops; empty: no loop within shares the header.
Blocks outer_ways(const FlowGraph& graph, const DominatorTree& after, const NaturalLoop& loop) {
  for (const BlockIndex latch : graph.predecessors(loop.header)) {
    if (!loop.contains[latch]) continue;
    const BlockIndex meeting = meeting_behind(after, loop_of(graph, loop.header, {latch}));
    if (meeting == no_block || !loop.contains[meeting]) continue;
    Blocks outer;
    for (const BlockIndex from : graph.predecessors(loop.header)) {
      const bool inner = loop.contains[from] && !loop_of(graph, loop.header, {from}).contains[meeting];
      if (!inner) outer.push_back(from);
    }
    return outer;
  }
  return {};
}

}  // namespace

void separate_nested_loops(IrFunction& function) {
  bool changed = true;
  while (changed) {
    changed = false;
    const FlowGraph graph = function.graph();
    const DominatorTree after = post_dominators(graph);
    const Loops loops(graph);
    for (const NaturalLoop& loop : loops.all()) {
      const Blocks outer = outer_ways(graph, after, loop);
      if (outer.empty()) continue;
      (void)split_edges(function, outer, loop.header);
      changed = true;
      break;
    }
  }
}

}  // namespace teslasim::compiler
