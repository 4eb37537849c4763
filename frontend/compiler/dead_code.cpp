// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/dead_code.h"

#include <algorithm>

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

class Marker {
 public:
  explicit Marker(IrFunction& function)
      : function_(function), needed_(function.values.size()), kept_(function.nodes.size()) {}

  void run() {
    for (const BlockIndex block : reverse_postorder(function_.graph())) {
      for (const NodeIndex index : function_.blocks[block].nodes) {
        if (row_of(function_.nodes[index].operation).effect == IrEffect::writes) keep(index);
      }
      if (function_.blocks[block].end.kind == IrEnd::Kind::branch) need(function_.blocks[block].end.condition);
    }
    while (!waiting_.empty()) {
      const ValueIndex value = waiting_.back();
      waiting_.pop_back();
      need_arguments(function_.values[value]);
    }
    for (IrBlock& block : function_.blocks) {
      std::erase_if(block.nodes, [this](NodeIndex index) { return !kept_[index]; });
      for (const NodeIndex index : block.nodes) narrow(function_.nodes[index]);
    }
  }

 private:
  void keep(NodeIndex index) {
    kept_[index] = true;
    for (const IrArgument& argument : function_.nodes[index].arguments) need(argument);
  }

  void need(const IrArgument& argument) {
    if (argument.is_constant() || needed_[argument.value]) return;
    needed_[argument.value] = true;
    waiting_.push_back(argument.value);
  }

  /// The lower word of a sum asks for lower words only.
  void need_arguments(const IrDefinition& definition) {
    const IrNode& node = function_.nodes[definition.node];
    kept_[definition.node] = true;
    const bool sum = node.operation == Op::add_64 || node.operation == Op::subtract_64;
    if (sum && definition.result == 0) {
      need(node.arguments[0]);
      need(node.arguments[2]);
      return;
    }
    if (node.operation == Op::shift_left_64 && definition.result == 0) {
      need(node.arguments[0]);
      need(node.arguments[2]);
      return;
    }
    for (const IrArgument& argument : node.arguments) need(argument);
  }

  void narrow(IrNode& node) {
    const bool sum = node.operation == Op::add_64 || node.operation == Op::subtract_64;
    if (!sum && node.operation != Op::shift_left_64) return;
    if (needed_[node.results[1]]) return;
    const IrArgument first = node.arguments[0], second = node.arguments[2];
    node.operation = node.operation == Op::add_64        ? Op::add
                     : node.operation == Op::subtract_64 ? Op::subtract
                                                         : Op::shift_left;
    node.type = ValueType::b32;
    node.arguments = {first, second};
    node.results.pop_back();
  }

  IrFunction& function_;
  std::vector<bool> needed_, kept_;
  std::vector<ValueIndex> waiting_{};
};

}  // namespace

void eliminate_dead_code(IrFunction& function) {
  Marker(function).run();
}

}  // namespace teslasim::compiler
