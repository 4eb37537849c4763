// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/divergence.h"

#include <algorithm>

namespace teslasim::compiler {

using Op = IrOperation;

Divergence::Divergence(const IrFunction& function)
    : function_(function),
      graph_(function.graph()),
      meetings_(function),
      loops_(graph_),
      differs_(function.values.size()),
      places_(function.nodes.size(), no_block) {
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    for (const NodeIndex index : function.blocks[block].nodes) places_[index] = block;
  }
  while (propagate() || propagate_control()) {
  }
}

bool Divergence::parts(BlockIndex block) const {
  const IrEnd& end = function_.blocks[block].end;
  return end.kind == IrEnd::Kind::branch && differs(end.condition);
}

bool Divergence::starts_differing(const IrNode& node) const {
  switch (node.operation) {
    case Op::thread_index:
    case Op::special_register:
    case Op::atomic:
    case Op::locked_atomic:
      return true;
    case Op::load:
      return node.space == IrSpace::local;
    default:
      return false;
  }
}

bool Divergence::propagate() {
  bool changed = false;
  for (const BlockIndex block : reverse_postorder(graph_)) {
    for (const NodeIndex index : function_.blocks[block].nodes) {
      const IrNode& node = function_.nodes[index];
      if (node.results.empty() || differs_[node.results[0]] || node.operation == Op::vote) continue;
      const bool differs_now =
          starts_differing(node) || std::any_of(node.arguments.begin(), node.arguments.end(),
                                                [this](const IrArgument& argument) { return differs(argument); });
      if (!differs_now) continue;
      for (const ValueIndex value : node.results) differs_[value] = true;
      changed = true;
    }
  }
  return changed;
}

bool Divergence::mark_phis(BlockIndex block) {
  bool changed = false;
  for (const NodeIndex index : function_.blocks[block].nodes) {
    const IrNode& node = function_.nodes[index];
    if (node.operation != Op::phi) break;
    changed = changed || !differs_[node.results[0]];
    differs_[node.results[0]] = true;
  }
  return changed;
}

/// Blocks on ways from `from` that end before `end`.
std::vector<bool> Divergence::reached(BlockIndex from, BlockIndex end) const {
  std::vector<bool> result(graph_.size());
  std::vector<BlockIndex> waiting{from};
  while (!waiting.empty()) {
    const BlockIndex block = waiting.back();
    waiting.pop_back();
    if (block == end || result[block]) continue;
    result[block] = true;
    for (const BlockIndex next : graph_.successors(block)) waiting.push_back(next);
  }
  return result;
}

/// What a loop computed is not the same for those who left it at another turn.
bool Divergence::mark_used_outside(const NaturalLoop& loop) {
  bool changed = false;
  const auto mark = [&](const IrArgument& argument) {
    if (argument.is_constant() || differs_[argument.value]) return;
    const BlockIndex defined = places_[function_.values[argument.value].node];
    if (defined == no_block || !loop.contains[defined]) return;
    differs_[argument.value] = true;
    changed = true;
  };
  for (BlockIndex outside = 0; outside < graph_.size(); ++outside) {
    if (loop.contains[outside]) continue;
    for (const NodeIndex index : function_.blocks[outside].nodes) {
      for (const IrArgument& argument : function_.nodes[index].arguments) mark(argument);
    }
    if (function_.blocks[outside].end.kind == IrEnd::Kind::branch) mark(function_.blocks[outside].end.condition);
  }
  return changed;
}

bool Divergence::propagate_control() {
  bool changed = false;
  for (const BlockIndex block : reverse_postorder(graph_)) {
    if (!parts(block)) continue;
    const BlockIndex meeting = meetings_.parent(block);
    const auto& targets = function_.blocks[block].end.target;
    const std::vector<bool> first = reached(targets[0], meeting), second = reached(targets[1], meeting);
    for (BlockIndex other = 0; other < graph_.size(); ++other) {
      if (first[other] && second[other]) changed = mark_phis(other) || changed;
    }
    if (meeting != no_block) changed = mark_phis(meeting) || changed;
    for (const NaturalLoop& loop : loops_.all()) {
      const bool leaves = loop.contains[block] && !(loop.contains[targets[0]] && loop.contains[targets[1]]);
      if (leaves) changed = mark_used_outside(loop) || changed;
    }
  }
  return changed;
}

}  // namespace teslasim::compiler
