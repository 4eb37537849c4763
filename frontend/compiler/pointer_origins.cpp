// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/pointer_origins.h"

namespace teslasim::compiler {

using Op = IrOperation;

PointerOrigins::PointerOrigins(const IrFunction& function) : spaces_(function.values.size()) {
  const std::vector<BlockIndex> order = reverse_postorder(function.graph());
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockIndex block : order) {
      for (const NodeIndex index : function.blocks[block].nodes) changed = update(function.nodes[index]) || changed;
    }
  }
}

bool PointerOrigins::update(const IrNode& node) {
  if (node.results.empty()) return false;
  IrSpaces spaces = 0;
  if (node.operation == Op::copy && node.origin != IrSpace::none) {
    spaces = bit_of(node.origin);
  } else if (node.operation == Op::launch_word) {
    spaces = launch_bit;
  } else if (node.operation == Op::variable_address) {
    spaces = bit_of(IrSpace::global);
  } else if (node.operation == Op::copy || node.operation == Op::phi || node.operation == Op::add ||
             node.operation == Op::add_64 || node.operation == Op::subtract_64 || node.operation == Op::subtract ||
             node.operation == Op::bit_and || node.operation == Op::bit_or) {
    for (const IrArgument& argument : node.arguments) spaces |= known(argument);
  } else if (node.operation == Op::select) {
    spaces = known(node.arguments[1]) | known(node.arguments[2]);
  }
  // One of several may have been loaded.
  if (node.operation == Op::phi || node.operation == Op::select) spaces &= ~launch_bit;
  IrSpaces& so_far = spaces_[node.results[0]];
  if ((so_far | spaces) == so_far) return false;
  so_far |= spaces;
  return true;
}

}  // namespace teslasim::compiler
