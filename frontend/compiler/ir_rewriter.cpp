// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/ir_rewriter.h"

#include <utility>

namespace teslasim::compiler {

void IrRewriter::replace_result(NodeIndex index, std::size_t result, const IrArgument& value) {
  while (replacement_.size() < function_.values.size())
    replacement_.push_back(value_argument(static_cast<ValueIndex>(replacement_.size())));
  replacement_[function_.nodes[index].results[result]] = value;
}

void IrRewriter::resolve(IrArgument& argument) const {
  while (!argument.is_constant() && argument.value < replacement_.size() &&
         replacement_[argument.value] != value_argument(argument.value)) {
    const IrArgument& other = replacement_[argument.value];
    argument.value = other.value;
    argument.constant = other.constant;
  }
}

bool IrRewriter::run() {
  for (const BlockIndex block : reverse_postorder(function_.graph())) {
    const std::vector<NodeIndex> old = std::exchange(function_.blocks[block].nodes, {});
    ir_.set_block(block);
    for (const NodeIndex index : old) {
      for (IrArgument& argument : function_.nodes[index].arguments) resolve(argument);
      ir_.set_lines(node(index).line, node(index).ptx_line);
      if (rewrite(index)) {
        changed_ = true;
      } else {
        function_.blocks[block].nodes.push_back(index);
      }
    }
  }
  while (replacement_.size() < function_.values.size())
    replacement_.push_back(value_argument(static_cast<ValueIndex>(replacement_.size())));
  function_.replace(replacement_);
  return changed_;
}

}  // namespace teslasim::compiler
