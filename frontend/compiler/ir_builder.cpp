// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/ir_builder.h"

#include <utility>

namespace teslasim::compiler {
namespace {

IrNode node_of(IrOperation operation, std::initializer_list<IrArgument> arguments, ValueType type) {
  IrNode node;
  node.operation = operation;
  node.type = type;
  node.arguments = arguments;
  return node;
}

}  // namespace

IrNode& IrBuilder::append(IrNode node, unsigned results) {
  node.line = line_;
  node.ptx_line = ptx_line_;
  return function_.nodes[function_.append(block_, std::move(node), results)];
}

IrArgument IrBuilder::add_node(IrNode node) {
  return value_argument(append(std::move(node), 1).results[0]);
}

IrPair IrBuilder::add_pair_node(IrNode node) {
  const IrNode& added = append(std::move(node), 2);
  return {value_argument(added.results[0]), value_argument(added.results[1])};
}

IrArgument IrBuilder::emit(IrOperation operation, std::initializer_list<IrArgument> arguments, ValueType type) {
  return add_node(node_of(operation, arguments, type));
}

IrPair IrBuilder::emit_pair(IrOperation operation, std::initializer_list<IrArgument> arguments, ValueType type) {
  return add_pair_node(node_of(operation, arguments, type));
}

IrArgument IrBuilder::compare(Relations relations, const IrArgument& left, const IrArgument& right, ValueType type) {
  IrNode node =
      node_of(type == ValueType::f32 ? IrOperation::float_compare : IrOperation::compare, {left, right}, type);
  node.compare = relations;
  return add_node(std::move(node));
}

IrArgument IrBuilder::convert(ValueType type, ValueType source_type, const IrArgument& source) {
  IrNode node = node_of(IrOperation::convert, {source}, type);
  node.source_type = source_type;
  return add_node(std::move(node));
}

}  // namespace teslasim::compiler
