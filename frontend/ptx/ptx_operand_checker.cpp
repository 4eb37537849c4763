// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_operand_checker.h"

#include <algorithm>
#include <utility>

#include "frontend/ptx/ptx_names.h"

namespace teslasim::ptx {
namespace {

constexpr unsigned texel_elements = 4;

/// A result that nobody wants.
bool is_sink(const PtxOperand& operand) {
  return operand.kind == PtxOperand::Kind::name && operand.name == "_";
}

PtxType doubled(PtxType type) {
  using enum PtxType;
  if (type == u16) return u32;
  if (type == s16) return s32;
  return type == u32 ? u64 : s64;
}

std::string shown(PtxType type) {
  return "." + std::string(word_of(type));
}

bool is_integer_register(PtxType type) {
  return kind_of(type) == PtxTypeKind::integer || kind_of(type) == PtxTypeKind::untyped;
}

}  // namespace

bool fits_into(std::uint64_t value, unsigned bits) {
  if (bits >= 64) return true;
  const std::uint64_t above = value >> (bits - 1);
  return value >> bits == 0 || above == ~std::uint64_t{0} >> (bits - 1);
}

void PtxOperandChecker::complain(const PtxPlace& place, std::string code, std::string message, std::string help) {
  if (mistakes_.size() < most_ptx_mistakes)
    mistakes_.push_back({place, std::move(code), std::move(message), std::move(help)});
}

std::optional<PtxSymbol> PtxOperandChecker::find(const std::string& name, const PtxPlace& place) {
  auto symbol = names_.find(name);
  if (!symbol && missing_.insert(name).second)
    complain(place, "PTX-NAME", "'" + name + "' is not declared",
             name.starts_with('%') ? "declare it in this function, such as .reg .u32 " + name + ";" : "");
  return symbol;
}

void PtxOperandChecker::check_guard(const PtxInstruction& instruction) {
  if (instruction.guard.empty()) return;
  PtxOperand guard;
  guard.place = instruction.guard_place;
  guard.name = instruction.guard;
  expect_predicate(guard);
}

void PtxOperandChecker::check(const PtxInstruction& instruction, const PtxForm& form) {
  if (form.opcode() == PtxOpcode::call) return check_call(instruction);
  const PtxOperation& operation = *form.operation;
  const std::size_t count = instruction.operands.size();
  if (count < operation.fewest || count > operation.most) {
    std::string wanted = std::to_string(operation.fewest);
    if (operation.most != operation.fewest) wanted += " or " + std::to_string(operation.most);
    return complain(instruction.place, "PTX-OPERAND",
                    "'" + instruction.opcode + "' takes " + wanted + " operands, not " + std::to_string(count));
  }
  for (std::size_t i = 0; i < count; ++i) check_role(operation.roles[i], instruction.operands[i], instruction, form);
}

void PtxOperandChecker::check_role(PtxRole role, const PtxOperand& operand, const PtxInstruction& instruction,
                                   const PtxForm& form) {
  if (role == PtxRole::address) return expect_address(operand, form);
  if (role == PtxRole::texture) return expect_texture(operand, instruction, form);
  if (role == PtxRole::label) return expect_label(operand);
  if (role <= PtxRole::result_moved) return check_result(role, operand, form);
  check_source(role, operand, form);
}

void PtxOperandChecker::check_result(PtxRole role, const PtxOperand& operand, const PtxForm& form) {
  const PtxType type = form.types[0];
  switch (role) {
    case PtxRole::result_wide:
      return expect_register(operand, doubled(type), Width::exact);
    case PtxRole::result_word:
      return expect_register(operand, PtxType::u32, Width::exact);
    case PtxRole::result_predicate:
      if (operand.kind != PtxOperand::Kind::pair) return expect_register(operand, PtxType::pred, Width::exact);
      for (const PtxOperand& one : operand.elements) expect_register(one, PtxType::pred, Width::exact);
      return;
    case PtxRole::result_loose:
      return expect_register(operand, type, Width::at_least);
    case PtxRole::result_loaded:
      return expect_elements(operand, type, form.vector, role);
    case PtxRole::result_texel:
      return expect_elements(operand, type, texel_elements, role);
    case PtxRole::result_moved:
      if (operand.kind == PtxOperand::Kind::vector) return expect_moved(operand, type);
      return expect_register(operand, type, Width::exact);
    default:
      return expect_register(operand, type, Width::exact);
  }
}

void PtxOperandChecker::check_source(PtxRole role, const PtxOperand& operand, const PtxForm& form) {
  const PtxType type = form.types[0];
  switch (role) {
    case PtxRole::source_wide:
      return expect_value(operand, doubled(type), Width::exact);
    case PtxRole::source_second:
      return expect_value(operand, form.types[1], Width::exact);
    case PtxRole::source_loose:
      return expect_value(operand, form.types[1], Width::at_least);
    case PtxRole::source_stored:
      return expect_elements(operand, type, form.vector, role);
    case PtxRole::source_moved:
      return expect_moved(operand, type);
    case PtxRole::source_count:
      return expect_value(operand, PtxType::u32, Width::exact);
    case PtxRole::source_predicate:
      return expect_predicate(operand);
    default:
      return expect_value(operand, type, Width::exact);
  }
}

void PtxOperandChecker::expect_fit(const PtxOperand& operand, PtxType has, PtxType type, Width width) {
  const PtxTypeKind kind = kind_of(type), own = kind_of(has);
  const bool either = kind == PtxTypeKind::untyped || own == PtxTypeKind::untyped;
  const bool predicate = kind == PtxTypeKind::predicate || own == PtxTypeKind::predicate;
  const bool same_kind = predicate ? has == type : either || kind == own;
  const bool wider = width == Width::at_least && kind != PtxTypeKind::floating && bits_of(has) > bits_of(type);
  if (same_kind && (bits_of(has) == bits_of(type) || wider)) return;
  complain(operand.place, "PTX-TYPE",
           "'" + operand.name + "' is " + shown(has) + ", and the instruction takes " + shown(type) + " here");
}

void PtxOperandChecker::expect_register(const PtxOperand& operand, PtxType type, Width width) {
  if (is_sink(operand)) return;
  if (operand.kind != PtxOperand::Kind::name || operand.negated || operand.constant.bits != 0)
    return complain(operand.place, "PTX-OPERAND", "expected a register");
  if (special_register(operand.name) != nullptr)
    return complain(operand.place, "PTX-OPERAND", "'" + operand.name + "' cannot be written");
  const auto symbol = find(operand.name, operand.place);
  if (!symbol) return;
  if (!symbol->is_register())
    return complain(operand.place, "PTX-OPERAND", "'" + operand.name + "' is no register",
                    symbol->kind == PtxSymbol::Kind::variable ? "variables are read by ld and written by st" : "");
  if ((symbol->variable->vector != 1) != (operand.component != 0))
    return complain(operand.place, "PTX-OPERAND",
                    operand.component != 0 ? "'" + operand.name + "' is no vector"
                                           : "'" + operand.name + "' is a vector; its elements are .x, .y, .z, .w");
  expect_fit(operand, symbol->variable->type, type, width);
}

void PtxOperandChecker::expect_special(const PtxOperand& operand, const PtxSpecialRegister& special, PtxType type,
                                       Width width) {
  if (special.vector != (operand.component != 0))
    return complain(operand.place, "PTX-OPERAND",
                    special.vector ? "'" + operand.name + "' is a vector; its elements are .x, .y, .z"
                                   : "'" + operand.name + "' is no vector");
  // Up to PTX 1.4 the registers of position had 16 bits.
  if (special.vector && bits_of(type) == 16) return expect_fit(operand, PtxType::u16, type, width);
  expect_fit(operand, special.type, type, width);
}

void PtxOperandChecker::expect_value(const PtxOperand& operand, PtxType type, Width width) {
  if (operand.kind == PtxOperand::Kind::constant) return expect_constant(operand, type);
  if (operand.kind == PtxOperand::Kind::name) {
    if (const auto* special = special_register(operand.name)) return expect_special(operand, *special, type, width);
  }
  if (is_sink(operand)) return complain(operand.place, "PTX-OPERAND", "'_' has no value");
  expect_register(operand, type, width);
}

void PtxOperandChecker::expect_moved(const PtxOperand& operand, PtxType type) {
  if (operand.kind == PtxOperand::Kind::vector) {
    const std::size_t count = operand.elements.size();
    if ((count != 2 && count != 4) || bits_of(type) < 8 * count)
      return complain(operand.place, "PTX-OPERAND", "a vector has two or four elements of together " + shown(type));
    const unsigned bits = bits_of(type) / static_cast<unsigned>(count);
    const PtxType element = bits == 32 ? PtxType::b32 : bits == 16 ? PtxType::b16 : PtxType::b8;
    for (const PtxOperand& one : operand.elements) expect_value(one, element, Width::exact);
    return;
  }
  if (operand.kind == PtxOperand::Kind::name && special_register(operand.name) == nullptr) {
    const auto symbol = find(operand.name, operand.place);
    if (!symbol) return;
    if (symbol->kind == PtxSymbol::Kind::variable && !symbol->is_register()) {
      if (!is_integer_register(type) || bits_of(type) < 32)
        complain(operand.place, "PTX-TYPE", "an address does not fit into " + shown(type));
      return;
    }
  }
  expect_value(operand, type, Width::exact);
}

void PtxOperandChecker::expect_predicate(const PtxOperand& operand) {
  PtxOperand plain = operand;
  plain.negated = false;
  expect_register(plain, PtxType::pred, Width::exact);
}

void PtxOperandChecker::expect_elements(const PtxOperand& operand, PtxType type, unsigned count, PtxRole role) {
  const auto one = [&](const PtxOperand& element) {
    if (role == PtxRole::source_stored) return expect_value(element, type, Width::at_least);
    expect_register(element, type, role == PtxRole::result_texel ? Width::exact : Width::at_least);
  };
  if (operand.kind == PtxOperand::Kind::vector && operand.elements.size() == count && count > 1) {
    for (const PtxOperand& element : operand.elements) one(element);
    return;
  }
  if (operand.kind == PtxOperand::Kind::name && operand.component == 0 && count > 1) {
    const auto symbol = find(operand.name, operand.place);
    if (!symbol) return;
    if (symbol->is_register() && symbol->variable->vector == count)
      return expect_fit(operand, symbol->variable->type, type, Width::exact);
  }
  if (count > 1 || operand.kind == PtxOperand::Kind::vector)
    return complain(operand.place, "PTX-OPERAND",
                    count > 1 ? "expected a vector of " + std::to_string(count) + " elements"
                              : "a vector needs .v2 or .v4 in the instruction");
  one(operand);
}

void PtxOperandChecker::expect_constant(const PtxOperand& operand, PtxType type) {
  const bool integer = operand.constant.kind == PtxConstant::Kind::integer;
  const PtxTypeKind kind = kind_of(type);
  if (kind == PtxTypeKind::floating && integer)
    return complain(operand.place, "PTX-TYPE", "a whole number where " + shown(type) + " is expected",
                    "floats are written as 1.0 or 0f3F800000");
  if (kind != PtxTypeKind::floating && !integer) {
    const unsigned bits = operand.constant.kind == PtxConstant::Kind::f32 ? 32 : 64;
    if (kind != PtxTypeKind::untyped || bits != bits_of(type))
      complain(operand.place, "PTX-TYPE", "a float where " + shown(type) + " is expected");
    return;
  }
  if (integer && kind != PtxTypeKind::predicate && !fits_into(operand.constant.bits, bits_of(type)))
    complain(operand.place, "PTX-TYPE", "the number does not fit into " + shown(type));
}

}  // namespace teslasim::ptx
