// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include "frontend/ptx/ptx_names.h"
#include "frontend/ptx/ptx_reader.h"

namespace teslasim::ptx {
namespace {

std::string hexadecimal(std::uint64_t bits, unsigned digits) {
  constexpr std::string_view names = "0123456789abcdef";
  std::string text(digits, '0');
  for (unsigned i = 0; i < digits; ++i) text[digits - 1 - i] = names[bits >> (4 * i) & 0xfU];
  return text;
}

std::string printed(const PtxConstant& constant) {
  if (constant.kind == PtxConstant::Kind::f32) return "0f" + hexadecimal(constant.bits, 8);
  if (constant.kind == PtxConstant::Kind::f64) return "0d" + hexadecimal(constant.bits, 16);
  const auto value = static_cast<std::int64_t>(constant.bits);
  return value < 0 ? "-" + std::to_string(0 - constant.bits) : std::to_string(value);
}

std::string offset(const PtxConstant& constant) {
  return constant.bits == 0 ? "" : "+" + printed(constant);
}

std::string printed(const PtxOperand& operand);

std::string joined(const std::vector<PtxOperand>& operands, std::string_view between) {
  std::string text;
  for (const PtxOperand& operand : operands) text += (text.empty() ? "" : std::string(between)) + printed(operand);
  return text;
}

std::string printed(const PtxOperand& operand) {
  switch (operand.kind) {
    case PtxOperand::Kind::constant:
      return printed(operand.constant);
    case PtxOperand::Kind::address: {
      const std::string where =
          operand.name.empty() ? printed(operand.constant) : operand.name + offset(operand.constant);
      return "[" + where + (operand.elements.empty() ? "" : ", " + printed(operand.elements.front())) + "]";
    }
    case PtxOperand::Kind::vector:
      return "{" + joined(operand.elements, ", ") + "}";
    case PtxOperand::Kind::list:
      return "(" + joined(operand.elements, ", ") + ")";
    case PtxOperand::Kind::pair:
      return joined(operand.elements, "|");
    case PtxOperand::Kind::name:
      break;
  }
  std::string text = (operand.negated ? "!" : "") + operand.name;
  if (operand.component != 0) text += std::string(".") + operand.component;
  return text + offset(operand.constant);
}

std::string printed(const PtxInitial& value) {
  if (value.symbol.empty()) return printed(value.constant);
  return value.symbol + offset(value.constant);
}

std::string dotted(std::string_view word) {
  return word.empty() ? "" : "." + std::string(word) + " ";
}

/// Without linkage, semicolon and initial value.
std::string declaration(const PtxVariable& variable) {
  std::string text = "." + std::string(word_of(variable.space));
  if (variable.bank != 0) text += "[" + std::to_string(variable.bank) + "]";
  text += " ";
  if (variable.alignment != 0) text += ".align " + std::to_string(variable.alignment) + " ";
  if (variable.vector != 1) text += ".v" + std::to_string(variable.vector) + " ";
  text += (variable.opaque.empty() ? dotted(word_of(variable.type)) : dotted(variable.opaque)) + variable.name;
  if (variable.range) text += "<" + std::to_string(*variable.range) + ">";
  for (const std::optional<std::uint64_t>& extent : variable.extents)
    text += "[" + (extent ? std::to_string(*extent) : std::string()) + "]";
  return text;
}

std::string statement(const PtxVariable& variable) {
  std::string text = dotted(word_of(variable.linkage)) + declaration(variable);
  if (!variable.initial.empty()) {
    text += " = ";
    const bool list = !variable.extents.empty() || variable.vector != 1 || variable.initial.size() != 1;
    std::string values;
    for (const PtxInitial& value : variable.initial) values += (values.empty() ? "" : ", ") + printed(value);
    text += list ? "{" + values + "}" : values;
  }
  return text + ";\n";
}

std::string statement(const PtxInstruction& instruction) {
  std::string text;
  if (!instruction.guard.empty())
    text += std::string("@") + (instruction.guard_negated ? "!" : "") + instruction.guard + " ";
  text += instruction.opcode;
  for (const std::string& modifier : instruction.modifiers) text += "." + modifier;
  if (!instruction.operands.empty()) text += " " + joined(instruction.operands, ", ");
  return text + ";\n";
}
std::string statement(const PtxLabel& label) {
  return label.name + ":\n";
}
std::string statement(const PtxLineMark& mark) {
  return ".loc " + std::to_string(mark.file) + " " + std::to_string(mark.line) + " " + std::to_string(mark.column) +
         "\n";
}
std::string statement(const PtxPragma& pragma) {
  return ".pragma \"" + pragma.text + "\";\n";
}
std::string statement(const PtxScope& scope) {
  std::string text = "{\n";
  for (const PtxStatement& inner : scope.statements)
    text += std::visit([](const auto& one) { return statement(one); }, inner);
  return text + "}\n";
}

std::string parameters(const std::vector<PtxVariable>& variables) {
  std::string text;
  for (const PtxVariable& variable : variables) text += (text.empty() ? "" : ", ") + declaration(variable);
  return "(" + text + ")";
}

std::string printed(const PtxFunction& function) {
  std::string text = dotted(word_of(function.linkage)) + (function.entry ? ".entry " : ".func ");
  if (!function.results.empty()) text += parameters(function.results) + " ";
  text += function.name + " " + parameters(function.parameters) + "\n";
  for (const PtxPerformanceDirective& directive : function.directives) {
    text += "." + directive.name;
    for (std::size_t i = 0; i < directive.values.size(); ++i)
      text += (i == 0 ? " " : ", ") + std::to_string(directive.values[i]);
    text += "\n";
  }
  return text + (function.body ? statement(*function.body) : ";\n");
}

}  // namespace

std::string print_ptx(const PtxModule& module) {
  std::string text =
      ".version " + std::to_string(module.version_major) + "." + std::to_string(module.version_minor) + "\n";
  std::string targets;
  for (const std::string& target : module.targets) targets += (targets.empty() ? "" : ", ") + target;
  if (!targets.empty()) text += ".target " + targets + "\n";
  text += ".address_size " + std::to_string(module.address_size) + "\n";
  for (const PtxFile& file : module.files) text += ".file " + std::to_string(file.number) + " \"" + file.name + "\"\n";
  for (const PtxVariable& variable : module.variables) text += statement(variable);
  for (const PtxFunction& function : module.functions) text += printed(function);
  return text;
}

}  // namespace teslasim::ptx
