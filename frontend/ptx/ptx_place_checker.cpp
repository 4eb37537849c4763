// SPDX-License-Identifier: Apache-2.0
// Operands that name a place: addresses, textures, labels, functions.
#include <algorithm>

#include "frontend/ptx/ptx_names.h"
#include "frontend/ptx/ptx_operand_checker.h"

namespace teslasim::ptx {
namespace {

constexpr std::size_t most_coordinates = 4;

bool holds_address(const PtxSymbol& symbol) {
  const PtxType type = symbol.variable->type;
  const bool integer = kind_of(type) == PtxTypeKind::integer || kind_of(type) == PtxTypeKind::untyped;
  return integer && bits_of(type) >= 32 && symbol.variable->vector == 1;
}

bool is_texture(const PtxVariable& variable) {
  return variable.space == PtxSpace::tex || variable.opaque == "texref";
}

}  // namespace

void PtxOperandChecker::expect_address(const PtxOperand& operand, const PtxForm& form) {
  if (operand.kind != PtxOperand::Kind::address || !operand.elements.empty())
    return complain(operand.place, "PTX-OPERAND", "expected an address", "such as [%r1+4]");
  if (operand.name.empty()) return;
  const auto symbol = find(operand.name, operand.place);
  if (!symbol) return;
  if (symbol->kind != PtxSymbol::Kind::variable)
    return complain(operand.place, "PTX-OPERAND", "'" + operand.name + "' is no variable");
  if (symbol->is_register()) {
    if (!holds_address(*symbol))
      complain(operand.place, "PTX-TYPE",
               "'" + operand.name + "' is ." + std::string(word_of(symbol->variable->type)) +
                   ", and an address has 32 or 64 bits");
    return;
  }
  const PtxSpace space = symbol->variable->space;
  if (form.space != PtxSpace::none && form.space != space)
    complain(operand.place, "PTX-TYPE",
             "'" + operand.name + "' stands in ." + std::string(word_of(space)) + ", and the instruction accesses ." +
                 std::string(word_of(form.space)));
}

void PtxOperandChecker::expect_texture(const PtxOperand& operand, const PtxInstruction& instruction,
                                       const PtxForm& form) {
  if (operand.kind != PtxOperand::Kind::address || operand.name.empty() || operand.elements.size() != 1)
    return complain(operand.place, "PTX-OPERAND", "expected a texture and its coordinates",
                    "such as [image, {%f1, %f2}]");
  if (const auto symbol = find(operand.name, operand.place)) {
    const bool fits = symbol->kind == PtxSymbol::Kind::variable &&
                      (symbol->is_register() ? holds_address(*symbol) : is_texture(*symbol->variable));
    if (!fits) complain(operand.place, "PTX-OPERAND", "'" + operand.name + "' is no texture");
  }
  // "1d", "2d", "3d"; compilers write further coordinates that nobody reads.
  const auto needed = static_cast<std::size_t>(instruction.modifiers.front().front() - '0');
  const PtxOperand& coordinates = operand.elements.front();
  if (coordinates.kind != PtxOperand::Kind::vector && needed == 1)
    return expect_value(coordinates, form.types[1], Width::exact);
  const std::size_t count = coordinates.elements.size();
  if (coordinates.kind != PtxOperand::Kind::vector || count < needed || count > most_coordinates)
    return complain(coordinates.place, "PTX-OPERAND",
                    "a texture of " + std::to_string(needed) + " dimensions has as many coordinates, or up to 4");
  for (const PtxOperand& one : coordinates.elements) expect_value(one, form.types[1], Width::exact);
}

void PtxOperandChecker::expect_label(const PtxOperand& operand) {
  if (operand.kind != PtxOperand::Kind::name) return complain(operand.place, "PTX-OPERAND", "expected a label");
  const auto symbol = find(operand.name, operand.place);
  if (symbol && symbol->kind != PtxSymbol::Kind::label)
    complain(operand.place, "PTX-OPERAND", "'" + operand.name + "' is no label");
}

void PtxOperandChecker::check_call(const PtxInstruction& instruction) {
  using Kind = PtxOperand::Kind;
  const std::vector<PtxOperand>& operands = instruction.operands;
  std::size_t at = 0;
  const PtxOperand* results = at < operands.size() && operands[at].kind == Kind::list ? &operands[at++] : nullptr;
  const PtxOperand* callee = at < operands.size() && operands[at].kind == Kind::name ? &operands[at++] : nullptr;
  const PtxOperand* arguments = at < operands.size() && operands[at].kind == Kind::list ? &operands[at++] : nullptr;
  if (callee == nullptr)
    return complain(instruction.place, "PTX-OPERAND", "a call names its function",
                    "call (result), function, (arguments);");
  const auto symbol = find(callee->name, callee->place);
  if (!symbol) return;
  if (symbol->kind != PtxSymbol::Kind::function)
    return complain(callee->place, "PTX-OPERAND", "'" + callee->name + "' is no function",
                    "calls through registers are not supported");
  if (at != operands.size())
    return complain(operands[at].place, "PTX-OPERAND", "there is nothing behind the arguments of a call");
  check_arguments(results, symbol->function->results.size(), instruction, "results");
  check_arguments(arguments, symbol->function->parameters.size(), instruction, "arguments");
}

void PtxOperandChecker::check_arguments(const PtxOperand* list, std::size_t wanted, const PtxInstruction& instruction,
                                        const std::string& what) {
  const std::size_t count = list == nullptr ? 0 : list->elements.size();
  if (count != wanted)
    return complain(list == nullptr ? instruction.place : list->place, "PTX-OPERAND",
                    "the function has " + std::to_string(wanted) + " " + what + ", not " + std::to_string(count));
  for (std::size_t i = 0; i < count; ++i) {
    const PtxOperand& one = list->elements[i];
    const bool name = one.kind == PtxOperand::Kind::name;
    if (!name && (one.kind != PtxOperand::Kind::constant || what == "results"))
      complain(one.place, "PTX-OPERAND", "expected a register or a variable in .param");
    else if (name && special_register(one.name) == nullptr)
      (void)find(one.name, one.place);
  }
}

}  // namespace teslasim::ptx
