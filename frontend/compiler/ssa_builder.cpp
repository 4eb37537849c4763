// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/ssa_builder.h"

#include <utility>

namespace teslasim::compiler {

void SsaBuilder::write(BlockIndex block, VariableIndex variable, const IrArgument& value) {
  if (current_.size() <= block) current_.resize(function_.blocks.size());
  current_[block][variable] = value;
}

IrArgument SsaBuilder::read(BlockIndex block, VariableIndex variable) {
  // A chain of blocks with one predecessor is walked, not climbed by recursion: it may be as long as the program.
  std::vector<BlockIndex> way;
  IrArgument value;
  for (BlockIndex at = block;; at = function_.blocks[at].predecessors.front()) {
    if (at < current_.size()) {
      if (const auto found = current_[at].find(variable); found != current_[at].end()) {
        value = found->second;
        break;
      }
    }
    way.push_back(at);
    if (is_sealed(at) && function_.blocks[at].predecessors.size() == 1) continue;
    value = read_from_predecessors(at, variable);
    break;
  }
  for (const BlockIndex passed : way) write(passed, variable, value);
  return value;
}

IrArgument SsaBuilder::read_from_predecessors(BlockIndex block, VariableIndex variable) {
  if (is_sealed(block) && function_.blocks[block].predecessors.empty()) return constant_argument(0);
  const NodeIndex phi = add_phi(block);
  const IrArgument value = value_argument(function_.nodes[phi].results[0]);
  write(block, variable, value);
  if (is_sealed(block)) {
    fill_phi(phi, block, variable);
  } else {
    open_[block].push_back({variable, phi});
  }
  return value;
}

NodeIndex SsaBuilder::add_phi(BlockIndex block) {
  IrNode node;
  node.operation = IrOperation::phi;
  const NodeIndex phi = function_.create(std::move(node), 1);
  std::vector<NodeIndex>& nodes = function_.blocks[block].nodes;
  nodes.insert(nodes.begin(), phi);
  return phi;
}

void SsaBuilder::fill_phi(NodeIndex phi, BlockIndex block, VariableIndex variable) {
  std::vector<IrArgument> arguments;
  for (const BlockIndex from : function_.blocks[block].predecessors) arguments.push_back(read(from, variable));
  function_.nodes[phi].arguments = std::move(arguments);
}

void SsaBuilder::seal(BlockIndex block) {
  if (sealed_.size() < function_.blocks.size()) sealed_.resize(function_.blocks.size());
  if (sealed_[block]) return;
  sealed_[block] = true;
  const auto found = open_.find(block);
  if (found == open_.end()) return;
  // Filling may open phis elsewhere, never here: the block is sealed.
  const std::vector<Open> waiting = std::move(found->second);
  open_.erase(found);
  for (const Open& one : waiting) fill_phi(one.phi, block, one.variable);
}

void SsaBuilder::seal_all() {
  for (BlockIndex block = 0; block < function_.blocks.size(); ++block) seal(block);
}

}  // namespace teslasim::compiler
