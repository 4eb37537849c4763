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

Loops::Loops(const FlowGraph& graph) {
  const DominatorTree tree = dominators(graph);
  for (const BlockIndex header : tree.order()) {
    NaturalLoop loop;
    for (const BlockIndex from : graph.predecessors(header)) {
      if (!tree.dominates(header, from)) continue;
      if (loop.header == no_block) {
        loop.header = header;
        loop.contains.assign(graph.size(), false);
        loop.contains[header] = true;
      }
      grow(loop, graph, from);
    }
    if (loop.header != no_block) loops_.push_back(std::move(loop));
  }
  // Headers come in the order of dominance, so the inner loops are the last.
  std::reverse(loops_.begin(), loops_.end());
}

unsigned Loops::depth(BlockIndex block) const {
  return static_cast<unsigned>(
      std::count_if(loops_.begin(), loops_.end(), [block](const NaturalLoop& loop) { return loop.contains[block]; }));
}

}  // namespace teslasim::compiler
