// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/after_loops.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "frontend/compiler/loops.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

class LateComputation {
 public:
  explicit LateComputation(IrFunction& function) : function_(function), graph_(function.graph()), loops_(graph_) {}

  bool run() {
    if (loops_.all().empty()) return false;
    bool changed = false;
    // What a new node reads may be made again in its place too.
    for (bool again = true; again;) {
      again = false;
      find_places();
      const auto count = static_cast<NodeIndex>(function_.nodes.size());
      for (NodeIndex index = 0; index < count; ++index) again = move_behind_loops(index) || again;
      changed = changed || again;
    }
    return changed;
  }

 private:
  struct Use {
    BlockIndex block;
    NodeIndex node;
    std::size_t argument;
  };

  void find_places() {
    places_.assign(function_.nodes.size(), no_block);
    uses_.assign(function_.values.size(), {});
    is_condition_.assign(function_.values.size(), false);
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      const IrBlock& one = function_.blocks[block];
      for (const NodeIndex index : one.nodes) {
        places_[index] = block;
        const IrNode& node = function_.nodes[index];
        for (std::size_t k = 0; k < node.arguments.size(); ++k) {
          if (node.arguments[k].is_constant()) continue;
          // Phis read at the end of the block before.
          const BlockIndex where = node.operation == Op::phi ? one.predecessors[k] : block;
          uses_[node.arguments[k].value].push_back({where, index, k});
        }
      }
      if (one.end.kind == IrEnd::Kind::branch && !one.end.condition.is_constant())
        is_condition_[one.end.condition.value] = true;
    }
  }

  /// One instruction that reads no register: one word of the launch at most, the rest constants.
  [[nodiscard]] bool is_cheap(const IrNode& node) const {
    switch (node.operation) {
      case Op::add:
      case Op::subtract:
      case Op::shift_left:
      case Op::shift_right:
      case Op::bit_and:
        break;
      default:
        return false;
    }
    std::size_t words = 0;
    for (const IrArgument& argument : node.arguments) {
      if (argument.is_constant()) continue;
      if (function_.source(argument)->operation != Op::launch_word) return false;
      ++words;
    }
    return words == 1;
  }

  /// Is there a loop that the value passes without being read in it?
  [[nodiscard]] bool passes_loop(BlockIndex from, BlockIndex to, const std::vector<Use>& uses) const {
    return std::any_of(loops_.all().begin(), loops_.all().end(), [&](const NaturalLoop& loop) {
      if (loop.contains[from] || loop.contains[to] || !leads_to(loop, to)) return false;
      return std::none_of(uses.begin(), uses.end(), [&](const Use& use) { return loop.contains[use.block]; });
    });
  }
  /// Is `block` behind the loop?
  [[nodiscard]] bool leads_to(const NaturalLoop& loop, BlockIndex block) const {
    std::vector<bool> seen = loop.contains;
    std::vector<BlockIndex> waiting;
    for (BlockIndex inside = 0; inside < loop.contains.size(); ++inside) {
      if (loop.contains[inside]) waiting.push_back(inside);
    }
    while (!waiting.empty()) {
      const BlockIndex one = waiting.back();
      waiting.pop_back();
      for (const BlockIndex next : graph_.successors(one)) {
        if (next == block) return true;
        if (!seen[next]) waiting.push_back(next);
        seen[next] = true;
      }
    }
    return false;
  }

  bool move_behind_loops(NodeIndex index) {
    if (places_[index] == no_block || !is_cheap(function_.nodes[index])) return false;
    const ValueIndex value = function_.nodes[index].results[0];
    if (is_condition_[value]) return false;
    bool changed = false;
    for (const Use& use : uses_[value]) {
      if (use.block == places_[index] || !passes_loop(places_[index], use.block, uses_[value])) continue;
      function_.nodes[use.node].arguments[use.argument].value = made_again(index, use);
      changed = true;
    }
    return changed;
  }

  /// The value of a copy in the block of the use, in front of it.
  ValueIndex made_again(NodeIndex index, const Use& use) {
    const NodeIndex added = function_.create(function_.nodes[index], 1);
    std::vector<NodeIndex>& nodes = function_.blocks[use.block].nodes;
    const bool in_phi = function_.nodes[use.node].operation == Op::phi;
    nodes.insert(in_phi ? nodes.end() : std::find(nodes.begin(), nodes.end(), use.node), added);
    return function_.nodes[added].results[0];
  }

  IrFunction& function_;
  FlowGraph graph_;
  Loops loops_;
  std::vector<BlockIndex> places_{};
  std::vector<std::vector<Use>> uses_{};
  std::vector<bool> is_condition_{};
};

}  // namespace

bool compute_behind_loops(IrFunction& function) {
  return LateComputation(function).run();
}

}  // namespace teslasim::compiler
