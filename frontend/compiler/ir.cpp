// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/ir.h"

#include <utility>

namespace teslasim::compiler {
namespace {

constexpr auto rows = std::to_array<IrOperationRow>({
#define IR_OPERATION(name, word, results, arguments, effect, commutes) \
  {word, results, arguments, IrEffect::effect, commutes},
#include "frontend/compiler/ir_operations.def"
#undef IR_OPERATION
});

/// Follows replacements to their end, and shortens the way for those who come after.
IrArgument resolve(std::vector<IrArgument>& replacement, ValueIndex value) {
  std::vector<ValueIndex> way;
  IrArgument at = value_argument(value);
  while (!at.is_constant() && replacement[at.value] != value_argument(at.value)) {
    way.push_back(at.value);
    at = replacement[at.value];
  }
  for (const ValueIndex passed : way) replacement[passed] = at;
  return at;
}

}  // namespace

const IrOperationRow& row_of(IrOperation operation) {
  return rows[static_cast<std::size_t>(operation)];
}

BlockIndex IrFunction::add_block() {
  blocks.emplace_back();
  return static_cast<BlockIndex>(blocks.size() - 1);
}

NodeIndex IrFunction::create(IrNode node, unsigned results) {
  const auto index = static_cast<NodeIndex>(nodes.size());
  node.results.clear();
  for (unsigned result = 0; result < results; ++result) {
    node.results.push_back(static_cast<ValueIndex>(values.size()));
    values.push_back({index, result});
  }
  nodes.push_back(std::move(node));
  return index;
}

NodeIndex IrFunction::append(BlockIndex block, IrNode node, unsigned results) {
  const NodeIndex index = create(std::move(node), results);
  blocks[block].nodes.push_back(index);
  return index;
}

void IrFunction::jump(BlockIndex block, BlockIndex target) {
  blocks[block].end.kind = IrEnd::Kind::jump;
  blocks[block].end.target = {target, no_block};
  blocks[target].predecessors.push_back(block);
}

void IrFunction::branch(BlockIndex block, IrArgument condition, BlockIndex taken, BlockIndex other) {
  if (taken == other) return jump(block, taken);
  IrEnd& end = blocks[block].end;
  end.kind = IrEnd::Kind::branch;
  end.condition = condition;
  end.target = {taken, other};
  blocks[taken].predecessors.push_back(block);
  blocks[other].predecessors.push_back(block);
}

std::size_t IrFunction::successors(BlockIndex block) const {
  const IrEnd::Kind kind = blocks[block].end.kind;
  return kind == IrEnd::Kind::branch ? 2 : kind == IrEnd::Kind::jump ? 1 : 0;
}

FlowGraph IrFunction::graph() const {
  FlowGraph result(blocks.size());
  for (BlockIndex block = 0; block < blocks.size(); ++block) {
    for (std::size_t way = 0; way < successors(block); ++way) result.connect(block, blocks[block].end.target[way]);
  }
  return result;
}

std::vector<std::uint32_t> IrFunction::uses() const {
  std::vector<std::uint32_t> result(values.size());
  const auto count = [&](const IrArgument& argument) {
    if (!argument.is_constant()) ++result[argument.value];
  };
  for (const IrBlock& block : blocks) {
    for (const NodeIndex node : block.nodes) {
      for (const IrArgument& argument : nodes[node].arguments) count(argument);
    }
    if (block.end.kind == IrEnd::Kind::branch) count(block.end.condition);
  }
  return result;
}

void IrFunction::replace(std::vector<IrArgument>& replacement) {
  for_each_argument([&](IrArgument& argument) {
    if (argument.is_constant()) return;
    const IrArgument other = resolve(replacement, argument.value);
    if (other == argument) return;
    argument.value = other.value;
    argument.constant = other.constant;
  });
}

}  // namespace teslasim::compiler
