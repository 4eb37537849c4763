// SPDX-License-Identifier: Apache-2.0
// Functions of a few nodes for tests of passes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "frontend/compiler/ir_builder.h"

namespace teslasim::compiler::testing {

struct SmallFunction {
  IrFunction function{};
  IrBuilder ir{function};

  SmallFunction() { ir.set_block(function.add_block()); }
  /// A word of which nothing is known, the same for all threads.
  IrArgument unknown(ValueType type = ValueType::b32) {
    IrNode node;
    node.operation = IrOperation::load;
    node.type = type;
    node.space = IrSpace::constant;
    node.arguments = {constant_argument(4 * loads_++)};
    return ir.add_node(node);
  }
  IrArgument load(IrSpace space, const IrArgument& address) {
    IrNode node;
    node.operation = IrOperation::load;
    node.space = space;
    node.arguments = {address};
    return ir.add_node(node);
  }
  IrArgument thread() { return ir.emit(IrOperation::thread_index, {}); }
  /// Somebody reads it.
  void keep(const IrArgument& value) {
    IrNode node;
    node.operation = IrOperation::store;
    node.space = IrSpace::global;
    node.arguments = {constant_argument(0), value};
    ir.append(node, 0);
  }
  /// What the last store keeps.
  [[nodiscard]] const IrArgument& kept(BlockIndex block = 0) const {
    return function.nodes[function.blocks[block].nodes.back()].arguments[1];
  }
  [[nodiscard]] std::ptrdiff_t count(IrOperation operation) const {
    std::ptrdiff_t found = 0;
    for (const IrBlock& block : function.blocks) {
      found += std::count_if(block.nodes.begin(), block.nodes.end(),
                             [&](NodeIndex node) { return function.nodes[node].operation == operation; });
    }
    return found;
  }

 private:
  std::uint32_t loads_ = 0;
};

}  // namespace teslasim::compiler::testing
