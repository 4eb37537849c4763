// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/block_order.h"

#include <algorithm>

namespace teslasim::compiler {

/// Reverse postorder in which what leaves a loop is visited first, and therefore stands last.
std::vector<BlockIndex> block_order(const MachineFunction& function) {
  struct Visit {
    BlockIndex block;
    std::vector<BlockIndex> waiting;
  };
  std::vector<bool> seen(function.blocks.size());
  std::vector<BlockIndex> order;
  std::vector<Visit> stack;
  const auto enter = [&](BlockIndex block) {
    seen[block] = true;
    const auto next = function.successors(block);
    Visit visit{block, {next.begin(), next.end()}};
    // The last of `waiting` is visited first: the one in the fewest loops, and of equals the target of the branch.
    std::stable_sort(visit.waiting.begin(), visit.waiting.end(), [&](BlockIndex left, BlockIndex right) {
      return function.blocks[left].depth > function.blocks[right].depth;
    });
    if (visit.waiting.size() == 2 && function.blocks[visit.waiting[0]].depth == function.blocks[visit.waiting[1]].depth)
      std::swap(visit.waiting[0], visit.waiting[1]);
    stack.push_back(std::move(visit));
  };
  enter(0);
  while (!stack.empty()) {
    Visit& top = stack.back();
    if (top.waiting.empty()) {
      order.push_back(top.block);
      stack.pop_back();
      continue;
    }
    const BlockIndex next = top.waiting.back();
    top.waiting.pop_back();
    if (!seen[next]) enter(next);
  }
  std::reverse(order.begin(), order.end());
  for (const MachineRoutine& routine : function.routines) order.push_back(routine.block);
  return order;
}

}  // namespace teslasim::compiler
