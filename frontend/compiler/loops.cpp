// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loops.h"

#include <algorithm>

namespace teslasim::compiler {
namespace {

void grow(NaturalLoop& loop, const FlowGraph& graph, BlockIndex from) {
  std::vector<BlockIndex> waiting{from};
  while (!waiting.empty()) {
    const BlockIndex block = waiting.back();
    waiting.pop_back();
    if (loop.contains[block]) continue;
    loop.contains[block] = true;
    for (const BlockIndex before : graph.predecessors(block)) waiting.push_back(before);
  }
}

}  // namespace

NaturalLoop loop_of(const FlowGraph& graph, BlockIndex header, const std::vector<BlockIndex>& latches) {
  NaturalLoop loop{header, std::vector<bool>(graph.size())};
  loop.contains[header] = true;
  for (const BlockIndex latch : latches) grow(loop, graph, latch);
  return loop;
}

BlockIndex preheader(const FlowGraph& graph, const NaturalLoop& loop) {
  BlockIndex found = no_block;
  for (const BlockIndex from : graph.predecessors(loop.header)) {
    if (loop.contains[from]) continue;
    if (found != no_block || graph.successors(from).size() != 1) return no_block;
    found = from;
  }
  return found;
}

Loops::Loops(const FlowGraph& graph) {
  const DominatorTree tree = dominators(graph);
  for (const BlockIndex header : tree.order()) {
    std::vector<BlockIndex> latches;
    for (const BlockIndex from : graph.predecessors(header)) {
      if (tree.dominates(header, from)) latches.push_back(from);
    }
    if (!latches.empty()) loops_.push_back(loop_of(graph, header, latches));
  }
  // Headers come in the order of dominance, so the inner loops are the last.
  std::reverse(loops_.begin(), loops_.end());
}

unsigned Loops::depth(BlockIndex block) const {
  return static_cast<unsigned>(
      std::count_if(loops_.begin(), loops_.end(), [block](const NaturalLoop& loop) { return loop.contains[block]; }));
}

}  // namespace teslasim::compiler
