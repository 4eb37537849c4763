// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "frontend/compiler/ir.h"
#include "isa/names.h"

namespace teslasim::compiler {
namespace {

std::string text_of(const IrArgument& argument) {
  std::string text =
      argument.is_constant() ? fmt::format("{:#x}", argument.constant) : fmt::format("v{}", argument.value);
  if (argument.half == Operand::Half::low) text += ".lo";
  if (argument.half == Operand::Half::high) text += ".hi";
  if (argument.absolute) text = "|" + text + "|";
  if (argument.negate) text = "-" + text;
  return text;
}

std::string_view space_name(IrSpace space) {
  switch (space) {
    case IrSpace::global:
      return "global";
    case IrSpace::shared:
      return "shared";
    case IrSpace::local:
      return "local";
    case IrSpace::constant:
      return "constant";
    case IrSpace::generic:
      return "generic";
    case IrSpace::none:
      break;
  }
  return "none";
}

std::string details_of(const IrNode& node) {
  std::string text;
  if (node.type != ValueType::b32) text += fmt::format(".{}", type_name(node.type));
  if (node.source_type != ValueType::b32) text += fmt::format(".{}", type_name(node.source_type));
  if (node.compare != Relations::no_relation)
    text += fmt::format(".{}", float_comparisons[static_cast<std::size_t>(node.compare)]);
  if (node.rounding != Rounding::nearest) text += fmt::format(".{}", rounding_name(node.rounding));
  if (node.round_to_integer) text += ".i";
  if (node.saturate) text += ".sat";
  if (node.high) text += ".high";
  if (node.subtract_product) text += ".from";
  if (node.exact) text += ".exact";
  if (node.guarded) text += ".guarded";
  if (node.space != IrSpace::none) text += fmt::format(".{}", space_name(node.space));
  if (node.origin != IrSpace::none) text += fmt::format(".to_{}", space_name(node.origin));
  if (node.operation == IrOperation::atomic || node.operation == IrOperation::locked_atomic)
    text += fmt::format(".{}", atomic_name(node.atomic));
  if (node.offset != 0) text += fmt::format(" +{:#x}", node.offset);
  if (node.number != 0) text += fmt::format(" #{}", node.number);
  return text;
}

std::string text_of(const IrNode& node) {
  std::string text = "    ";
  for (std::size_t i = 0; i < node.results.size(); ++i)
    text += fmt::format("{}v{}", i == 0 ? "" : ", ", node.results[i]);
  if (!node.results.empty()) text += " = ";
  text += fmt::format("{}{}", row_of(node.operation).word, details_of(node));
  for (std::size_t i = 0; i < node.arguments.size(); ++i)
    text += fmt::format("{} {}", i == 0 ? "" : ",", text_of(node.arguments[i]));
  if (node.line != 0) text += fmt::format("  // line {}", node.line);
  return text + "\n";
}

}  // namespace

std::string print_ir(const IrFunction& function) {
  std::string text = fmt::format("function {}\n", function.name);
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    const IrBlock& one = function.blocks[block];
    if (block != 0 && one.predecessors.empty()) continue;
    text += fmt::format("B{}:", block);
    for (const BlockIndex from : one.predecessors) text += fmt::format(" B{}", from);
    text += one.joins ? "  // threads meet\n" : "\n";
    for (const NodeIndex node : one.nodes) text += text_of(function.nodes[node]);
    for (const BlockIndex meeting : one.announces) text += fmt::format("    to meet in B{}\n", meeting);
    switch (one.end.kind) {
      case IrEnd::Kind::jump:
        text += fmt::format("    jump B{}\n", one.end.target[0]);
        break;
      case IrEnd::Kind::branch:
        text +=
            fmt::format("    branch {}, B{}, B{}\n", text_of(one.end.condition), one.end.target[0], one.end.target[1]);
        break;
      case IrEnd::Kind::exit:
        text += "    exit\n";
        break;
    }
  }
  return text;
}

}  // namespace teslasim::compiler
