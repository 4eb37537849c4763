// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/flow_graph.h"

#include <algorithm>
#include <utility>

namespace teslasim::compiler {
namespace {

constexpr std::uint32_t unnumbered = ~std::uint32_t{0};

/// Depth first without recursion, because programs may be one long chain. From each root in turn.
std::vector<BlockIndex> reverse_postorder_from(const FlowGraph& graph, const std::vector<BlockIndex>& roots) {
  struct Visit {
    BlockIndex block;
    std::size_t next = 0;
  };
  std::vector<BlockIndex> order;
  std::vector<bool> seen(graph.size());
  std::vector<Visit> stack;
  const auto visit = [&](BlockIndex block) {
    if (seen[block]) return;
    seen[block] = true;
    stack.push_back({block});
  };
  for (const BlockIndex root : roots) {
    visit(root);
    while (!stack.empty()) {
      Visit& top = stack.back();
      const std::vector<BlockIndex>& successors = graph.successors(top.block);
      if (top.next < successors.size()) {
        visit(successors[top.next++]);
      } else {
        order.push_back(top.block);
        stack.pop_back();
      }
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// K. Cooper, T. Harvey, K. Kennedy: A Simple, Fast Dominance Algorithm (2001). Right for irregular graphs too.
std::vector<BlockIndex> immediate_dominators(const FlowGraph& graph, const std::vector<BlockIndex>& order) {
  std::vector<std::uint32_t> number(graph.size(), unnumbered);
  for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  // By number in `order`; the root is its own parent until the end.
  std::vector<std::uint32_t> parent(order.size(), unnumbered);
  parent[0] = 0;
  const auto common = [&parent](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (a > b) a = parent[a];
      while (b > a) b = parent[b];
    }
    return a;
  };
  for (bool changed = true; std::exchange(changed, false);) {
    for (std::uint32_t i = 1; i < order.size(); ++i) {
      std::uint32_t best = unnumbered;
      for (const BlockIndex predecessor : graph.predecessors(order[i])) {
        const std::uint32_t candidate = number[predecessor];
        if (candidate == unnumbered || parent[candidate] == unnumbered) continue;
        best = best == unnumbered ? candidate : common(best, candidate);
      }
      changed |= std::exchange(parent[i], best) != best;
    }
  }
  std::vector<BlockIndex> blocks(graph.size(), no_block);
  for (std::uint32_t i = 1; i < order.size(); ++i) blocks[order[i]] = order[parent[i]];
  return blocks;
}

/// Marks what leads to `target` against the edges.
void mark_leading_to(const FlowGraph& graph, BlockIndex target, std::vector<bool>& marked) {
  std::vector<BlockIndex> open{target};
  marked[target] = true;
  while (!open.empty()) {
    const BlockIndex block = open.back();
    open.pop_back();
    for (const BlockIndex predecessor : graph.predecessors(block)) {
      if (marked[predecessor]) continue;
      marked[predecessor] = true;
      open.push_back(predecessor);
    }
  }
}

}  // namespace

void FlowGraph::connect(BlockIndex from, BlockIndex to) {
  std::vector<BlockIndex>&successors = successors_[from], &predecessors = predecessors_[to];
  // In the shorter list: ends of functions have many predecessors.
  const bool known = successors.size() < predecessors.size()
                         ? std::find(successors.begin(), successors.end(), to) != successors.end()
                         : std::find(predecessors.begin(), predecessors.end(), from) != predecessors.end();
  if (known) return;
  successors.push_back(to);
  predecessors.push_back(from);
}

DominatorTree::DominatorTree(std::vector<BlockIndex> parents, std::vector<BlockIndex> order)
    : parents_(std::move(parents)), order_(std::move(order)), entered_(parents_.size()), left_(parents_.size()) {
  // Sizes of subtrees first, then each child behind what its elder siblings take: a walk without a stack.
  std::vector<std::uint32_t> size(parents_.size(), 1), next(parents_.size());
  for (auto block = order_.rbegin(); block != order_.rend(); ++block) {
    if (parents_[*block] != no_block) size[parents_[*block]] += size[*block];
  }
  std::uint32_t root_next = 1;
  for (const BlockIndex block : order_) {
    std::uint32_t& time = parents_[block] == no_block ? root_next : next[parents_[block]];
    entered_[block] = time;
    time += size[block];
    left_[block] = time;
    next[block] = entered_[block] + 1;
  }
}

bool DominatorTree::dominates(BlockIndex above, BlockIndex below) const {
  if (!contains(above) || !contains(below)) return false;
  return entered_[above] <= entered_[below] && entered_[below] < left_[above];
}

std::vector<BlockIndex> reverse_postorder(const FlowGraph& graph) {
  if (graph.size() == 0) return {};
  return reverse_postorder_from(graph, {0});
}

DominatorTree dominators(const FlowGraph& graph) {
  std::vector<BlockIndex> order = reverse_postorder(graph);
  if (order.empty()) return {{}, {}};
  std::vector<BlockIndex> parents = immediate_dominators(graph, order);
  return {std::move(parents), std::move(order)};
}

DominatorTree post_dominators(const FlowGraph& graph) {
  const std::vector<BlockIndex> forward = reverse_postorder(graph);
  const auto exit = static_cast<BlockIndex>(graph.size());
  FlowGraph backward(graph.size() + 1);
  std::vector<bool> ends(graph.size());  // a path leads to the exit
  for (const BlockIndex block : forward) {
    for (const BlockIndex successor : graph.successors(block)) backward.connect(successor, block);
    if (!graph.successors(block).empty()) continue;
    backward.connect(exit, block);
    mark_leading_to(graph, block, ends);
  }
  // Against the edges, a block of a loop that nothing leaves comes before all that leads into that loop.
  for (const BlockIndex block : reverse_postorder_from(backward, forward)) {
    if (block == exit || ends[block]) continue;
    backward.connect(exit, block);
    mark_leading_to(graph, block, ends);
  }
  std::vector<BlockIndex> order = reverse_postorder_from(backward, {exit});
  std::vector<BlockIndex> parents = immediate_dominators(backward, order);
  parents.pop_back();
  std::replace(parents.begin(), parents.end(), exit, no_block);
  order.erase(order.begin());
  return {std::move(parents), std::move(order)};
}

}  // namespace teslasim::compiler
