// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/edges.h"

#include <algorithm>
#include <utility>

#include "frontend/compiler/loops.h"

namespace teslasim::compiler {

BlockIndex split_edges(IrFunction& function, const std::vector<BlockIndex>& sources, BlockIndex target) {
  const BlockIndex middle = function.add_block();
  IrBlock& goal = function.blocks[target];
  std::vector<BlockIndex> others;
  std::vector<std::size_t> moved, kept;
  for (std::size_t at = 0; at < goal.predecessors.size(); ++at) {
    const bool moves = std::find(sources.begin(), sources.end(), goal.predecessors[at]) != sources.end();
    (moves ? moved : kept).push_back(at);
  }
  std::vector<NodeIndex> phis;
  for (const NodeIndex index : function.blocks[target].nodes) {
    if (function.nodes[index].operation != IrOperation::phi) break;
    phis.push_back(index);
  }
  for (const NodeIndex index : phis) {
    const std::vector<IrArgument> old = function.nodes[index].arguments;
    std::vector<IrArgument> arguments;
    for (const std::size_t at : kept) arguments.push_back(old[at]);
    if (moved.size() == 1) {
      arguments.push_back(old[moved[0]]);
    } else {
      IrNode phi;
      phi.operation = IrOperation::phi;
      for (const std::size_t at : moved) phi.arguments.push_back(old[at]);
      const NodeIndex added = function.append(middle, std::move(phi), 1);
      arguments.push_back(value_argument(function.nodes[added].results[0]));
    }
    function.nodes[index].arguments = std::move(arguments);
  }
  std::vector<BlockIndex> predecessors;
  for (const std::size_t at : kept) predecessors.push_back(function.blocks[target].predecessors[at]);
  for (const std::size_t at : moved) {
    const BlockIndex from = function.blocks[target].predecessors[at];
    for (BlockIndex& way : function.blocks[from].end.target) {
      if (way == target) way = middle;
    }
    function.blocks[middle].predecessors.push_back(from);
  }
  function.blocks[target].predecessors = std::move(predecessors);
  function.jump(middle, target);
  return middle;
}

namespace {

/// May the instruction that reads the result read the arguments in its place? Complements, sums in addresses, flags and
/// words of s[] have no register of their own where they are used.
bool is_looked_through(const IrNode& node) {
  switch (node.operation) {
    case IrOperation::add:
    case IrOperation::shift_left:
      return node.arguments[1].is_constant();
    case IrOperation::load:
      return node.space == IrSpace::shared || node.space == IrSpace::constant;
    case IrOperation::copy:
    case IrOperation::bit_not:
    case IrOperation::bit_and:
    case IrOperation::bit_or:
    case IrOperation::compare:
    case IrOperation::float_compare:
      return true;
    default:
      return false;
  }
}

/// Is a value that the header of a loop chooses read behind the loop, perhaps through what was made of it?
bool outlives(const IrFunction& function, const NaturalLoop& loop) {
  std::vector<bool> chosen(function.values.size());
  for (const NodeIndex index : function.blocks[loop.header].nodes) {
    if (function.nodes[index].operation != IrOperation::phi) break;
    chosen[function.nodes[index].results[0]] = true;
  }
  const auto is_chosen = [&](const IrArgument& argument) { return !argument.is_constant() && chosen[argument.value]; };
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockIndex block = 0; block < loop.contains.size(); ++block) {
      if (!loop.contains[block]) continue;
      for (const NodeIndex index : function.blocks[block].nodes) {
        const IrNode& node = function.nodes[index];
        if (!is_looked_through(node) || chosen[node.results[0]]) continue;
        if (std::none_of(node.arguments.begin(), node.arguments.end(), is_chosen)) continue;
        for (const ValueIndex result : node.results) chosen[result] = true;
        changed = true;
      }
    }
  }
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    if (block < loop.contains.size() && loop.contains[block]) continue;
    const IrBlock& one = function.blocks[block];
    if (one.end.kind == IrEnd::Kind::branch && is_chosen(one.end.condition)) return true;
    for (const NodeIndex index : one.nodes) {
      const std::vector<IrArgument>& arguments = function.nodes[index].arguments;
      if (std::any_of(arguments.begin(), arguments.end(), is_chosen)) return true;
    }
  }
  return false;
}

/// An edge back to the header of a loop from where threads leave it: what the header chooses may be assigned before the
/// branch when nobody reads it behind the loop.
bool assigns_early(const IrFunction& function, const Loops& loops, BlockIndex from, BlockIndex header) {
  for (const NaturalLoop& loop : loops.all()) {
    if (loop.header != header) continue;
    if (!loop.contains[from]) return false;
    const auto& targets = function.blocks[from].end.target;
    const BlockIndex other = targets[0] == header ? targets[1] : targets[0];
    return (other >= loop.contains.size() || !loop.contains[other]) && !outlives(function, loop);
  }
  return false;
}

}  // namespace

void split_critical_edges(IrFunction& function) {
  const std::size_t count = function.blocks.size();
  const Loops loops(function.graph());
  for (BlockIndex block = 0; block < count; ++block) {
    const IrBlock& one = function.blocks[block];
    const bool has_phis = !one.nodes.empty() && function.nodes[one.nodes[0]].operation == IrOperation::phi;
    if (!has_phis) continue;
    const std::vector<BlockIndex> predecessors = one.predecessors;
    for (const BlockIndex from : predecessors) {
      if (function.successors(from) > 1 && !assigns_early(function, loops, from, block))
        (void)split_edges(function, {from}, block);
    }
  }
}

}  // namespace teslasim::compiler
