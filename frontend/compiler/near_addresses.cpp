// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/near_addresses.h"

#include <cstddef>

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

bool addresses_near(const IrNode& node, std::size_t position) {
  const bool access = node.operation == Op::load || node.operation == Op::store;
  return access && position == 0 && (node.space == IrSpace::shared || node.space == IrSpace::local);
}

/// What passes an offset on.
bool is_linear(const IrNode& node, std::size_t position) {
  switch (node.operation) {
    case Op::add:
      return !node.saturate;
    case Op::shift_left:
    case Op::multiply:
      return position == 0 && node.arguments[1].is_constant();
    default:
      return false;
  }
}

}  // namespace

NearAddresses::NearAddresses(const IrFunction& function) : only_(function.values.size(), true) {
  std::vector<ValueIndex> waiting;
  const auto exclude = [&](const IrArgument& argument) {
    if (argument.is_constant() || !only_[argument.value]) return;
    only_[argument.value] = false;
    waiting.push_back(argument.value);
  };
  for (const IrBlock& block : function.blocks) {
    for (const NodeIndex index : block.nodes) {
      const IrNode& node = function.nodes[index];
      for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        if (!addresses_near(node, i) && !is_linear(node, i)) exclude(node.arguments[i]);
      }
    }
    if (block.end.kind == IrEnd::Kind::branch) exclude(block.end.condition);
  }
  while (!waiting.empty()) {
    const IrNode& node = function.definition(waiting.back());
    waiting.pop_back();
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      if (is_linear(node, i)) exclude(node.arguments[i]);
    }
  }
}

}  // namespace teslasim::compiler
