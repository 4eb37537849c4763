// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/control_flow.h"

#include <algorithm>

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

class FlowSimplifier {
 public:
  explicit FlowSimplifier(IrFunction& function) : function_(function) {}

  bool run() {
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) fold_branch(block);
    remove_unreached();
    for (BlockIndex block = 1; block < function_.blocks.size(); ++block) skip_empty(block);
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) merge_chain(block);
    return changed_;
  }

 private:
  IrBlock& at(BlockIndex block) { return function_.blocks[block]; }
  [[nodiscard]] bool has_phis(BlockIndex block) {
    return !at(block).nodes.empty() && function_.nodes[at(block).nodes.front()].operation == Op::phi;
  }

  void fold_branch(BlockIndex block) {
    IrEnd& end = at(block).end;
    if (end.kind != IrEnd::Kind::branch || !end.condition.is_constant()) return;
    const bool taken = end.condition.constant != 0;
    remove_predecessor(function_, end.target[taken ? 1 : 0], block);
    end.kind = IrEnd::Kind::jump;
    end.target = {end.target[taken ? 0 : 1], no_block};
    changed_ = true;
  }

  void remove_unreached() {
    const std::vector<BlockIndex> order = reverse_postorder(function_.graph());
    std::vector<bool> reached(function_.blocks.size());
    for (const BlockIndex block : order) reached[block] = true;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (reached[block]) continue;
      for (std::size_t way = 0; way < function_.successors(block); ++way)
        remove_predecessor(function_, at(block).end.target[way], block);
      at(block) = IrBlock{};
    }
  }

  /// A block that only jumps on: those who come go where it leads.
  void skip_empty(BlockIndex block) {
    if (!at(block).nodes.empty() || at(block).end.kind != IrEnd::Kind::jump || at(block).predecessors.empty()) return;
    const BlockIndex target = at(block).end.target[0];
    if (target == block || has_phis(target)) return;
    const std::vector<BlockIndex> predecessors = at(block).predecessors;
    remove_predecessor(function_, target, block);
    for (const BlockIndex from : predecessors) {
      IrEnd& end = at(from).end;
      for (BlockIndex& way : end.target) {
        if (way == block) way = target;
      }
      std::vector<BlockIndex>& list = at(target).predecessors;
      if (end.kind == IrEnd::Kind::branch && end.target[0] == end.target[1]) {
        end.kind = IrEnd::Kind::jump;
        end.target[1] = no_block;
      } else {
        list.push_back(from);
        continue;
      }
      if (std::find(list.begin(), list.end(), from) == list.end()) list.push_back(from);
    }
    at(block) = IrBlock{};
    changed_ = true;
  }

  void merge_chain(BlockIndex block) {
    while (at(block).end.kind == IrEnd::Kind::jump) {
      const BlockIndex next = at(block).end.target[0];
      if (next == block || at(next).predecessors.size() != 1 || has_phis(next)) return;
      at(block).nodes.insert(at(block).nodes.end(), at(next).nodes.begin(), at(next).nodes.end());
      at(block).end = at(next).end;
      for (std::size_t way = 0; way < function_.successors(block); ++way) {
        std::vector<BlockIndex>& list = at(at(block).end.target[way]).predecessors;
        std::replace(list.begin(), list.end(), next, block);
      }
      at(next) = IrBlock{};
      changed_ = true;
    }
  }

  IrFunction& function_;
  bool changed_ = false;
};

}  // namespace

void remove_predecessor(IrFunction& function, BlockIndex block, BlockIndex from) {
  std::vector<BlockIndex>& list = function.blocks[block].predecessors;
  const auto found = std::find(list.begin(), list.end(), from);
  if (found == list.end()) return;
  const auto position = found - list.begin();
  list.erase(found);
  for (const NodeIndex index : function.blocks[block].nodes) {
    IrNode& node = function.nodes[index];
    if (node.operation != IrOperation::phi) break;
    node.arguments.erase(node.arguments.begin() + position);
  }
}

bool simplify_control_flow(IrFunction& function) {
  return FlowSimplifier(function).run();
}

}  // namespace teslasim::compiler
