// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loop_frame.h"

#include <algorithm>
#include <unordered_set>

#include "frontend/compiler/edges.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

bool takes_register(const IrFunction& function, const IrArgument& argument) {
  const Op operation = function.source(argument)->operation;
  return operation != Op::launch_word && operation != Op::variable_address;
}

}  // namespace

void give_preheaders(IrFunction& function) {
  const Loops loops(function.graph());
  for (const NaturalLoop& loop : loops.all()) {
    std::vector<BlockIndex> outside;
    for (const BlockIndex from : function.blocks[loop.header].predecessors) {
      if (from >= loop.contains.size() || !loop.contains[from]) outside.push_back(from);
    }
    if (outside.empty() || (outside.size() == 1 && function.successors(outside[0]) == 1)) continue;
    (void)split_edges(function, outside, loop.header);
  }
}

BlockIndex preheader(const IrFunction& function, const NaturalLoop& loop) {
  for (const BlockIndex from : function.blocks[loop.header].predecessors) {
    if (!loop.contains[from]) return from;
  }
  return no_block;
}

NodePlaces::NodePlaces(const IrFunction& function) : function_(function), places_(function.nodes.size(), no_block) {
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    for (const NodeIndex index : function.blocks[block].nodes) places_[index] = block;
  }
}

void NodePlaces::move(NodeIndex node, BlockIndex block) {
  if (node >= places_.size()) places_.resize(node + 1, no_block);
  places_[node] = block;
}

bool NodePlaces::is_outside(const NaturalLoop& loop, const IrArgument& argument) const {
  if (argument.is_constant()) return true;
  const BlockIndex place = (*this)[function_.values[argument.value].node];
  return place != no_block && !loop.contains[place];
}

std::size_t NodePlaces::carried(const NaturalLoop& loop) const {
  std::unordered_set<ValueIndex> found;
  for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
    if (!loop.contains[block]) continue;
    for (const NodeIndex index : function_.blocks[block].nodes) {
      const IrNode& node = function_.nodes[index];
      if (node.operation == Op::phi) {
        found.insert(node.results[0]);
        continue;
      }
      for (const IrArgument& argument : node.arguments) {
        if (!argument.is_constant() && is_outside(loop, argument) && takes_register(function_, argument))
          found.insert(argument.value);
      }
    }
  }
  return found.size();
}

LoopFrame::LoopFrame(const IrFunction& function, const NaturalLoop& loop, const NodePlaces& places)
    : function_(function), loop_(loop), places_(places), before_(preheader(function, loop)) {
  std::size_t repeats = 0;
  for (const BlockIndex from : function.blocks[loop.header].predecessors) {
    if (!loop.contains[from]) continue;
    latch_ = ++repeats == 1 ? from : no_block;
  }
}

std::optional<IrArgument> LoopFrame::step_of(NodeIndex phi) const {
  const IrArgument& next = next_of(phi);
  const IrNode* sum = next.is_plain() ? function_.source(next) : nullptr;
  if (sum == nullptr || sum->operation != Op::add || sum->saturate) return std::nullopt;
  const IrArgument counter = value_argument(function_.nodes[phi].results[0]);
  for (std::size_t i = 0; i < 2; ++i) {
    if (sum->arguments[i] == counter && stays(sum->arguments[1 - i])) return sum->arguments[1 - i];
  }
  return std::nullopt;
}

const IrArgument& LoopFrame::argument_from(NodeIndex phi, BlockIndex block) const {
  const std::vector<BlockIndex>& from = function_.blocks[loop_.header].predecessors;
  return function_.nodes[phi]
      .arguments[static_cast<std::size_t>(std::find(from.begin(), from.end(), block) - from.begin())];
}

}  // namespace teslasim::compiler
