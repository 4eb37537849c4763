// SPDX-License-Identifier: Apache-2.0
// `encoding_problem`: the checks of one instruction against its form, operand by operand.
#include <fmt/format.h>

#include <array>

#include "isa/forms.h"
#include "isa/names.h"
#include "isa/type_rules.h"

namespace teslasim {
namespace {

using Kind = Operand::Kind;
using Problem = EncodingProblem;
using Found = std::optional<EncodingProblem>;
using Place = EncodingProblem::Place;

Problem problem(Problem::Kind kind, Place place, std::string message, std::string help) {
  return Problem{kind, place, std::move(message), std::move(help)};
}

std::string_view form_word(Form form) {
  constexpr std::array<std::string_view, 4> words{"long", "short", "immediate", "control"};
  return words[static_cast<std::size_t>(form)];
}

Place source_place(std::size_t position) {
  return static_cast<Place>(static_cast<std::size_t>(Place::source_0) + position);
}

bool is_narrow(const Instruction& instruction) {
  const bool wide_destination = instruction.form == Form::long_form || instruction.opcode == Opcode::mov;
  return instruction.form == Form::short_form || !wide_destination;
}

Found check_form(const Instruction& i) {
  if (!has_form(i.opcode, i.form)) {
    const std::string message = fmt::format("'{}' has no {} form", i.row().mnemonic, form_word(i.form));
    if (i.form == Form::short_form) return problem(Problem::Kind::form, Place::instruction, message, "drop '.half'");
    return problem(Problem::Kind::form, Place::source_1, message, "move the number into a register first");
  }
  if (i.form == Form::long_form) return std::nullopt;
  if (i.predicated() && i.form != Form::control_form) {
    return problem(Problem::Kind::form, Place::instruction,
                   fmt::format("the {} form cannot be predicated", form_word(i.form)),
                   i.form == Form::short_form ? "drop '.half'" : "put the number into a register or branch around it");
  }
  if (i.join || i.exit) {
    return problem(Problem::Kind::form, Place::instruction,
                   fmt::format("the {} form has no .join and .end", form_word(i.form)),
                   "put 'nop.join' before it or 'nop.end' after it");
  }
  if (i.flag_destination >= 0) {
    return problem(Problem::Kind::form, Place::flags, fmt::format("the {} form cannot write flags", form_word(i.form)),
                   i.form == Form::short_form ? "drop '.half'" : "put the number into a register first");
  }
  return std::nullopt;
}

Found check_register(const Instruction& i, const Operand& operand, Place place) {
  const unsigned limit = (operand.half == Operand::Half::full ? 128U : 64U) / (is_narrow(i) ? 2U : 1U);
  if (operand.index >= limit) {
    const std::string_view half = operand.half == Operand::Half::full ? "" : "a half of ";
    return problem(
        Problem::Kind::register_number, place,
        fmt::format("the {} form cannot name {}$r{}", form_word(i.form), half, operand.index),
        fmt::format("use {}$r0 to $r{}{}", half, limit - 1, i.form == Form::short_form ? ", or drop '.half'" : ""));
  }
  const unsigned width = bytes_of(operand.type);
  if (width == 2 && operand.half == Operand::Half::full)
    return problem(Problem::Kind::type, place, fmt::format("a {} operand is a half register", type_name(operand.type)),
                   fmt::format("write $r{0}.lo or $r{0}.hi", operand.index));
  if (width >= 4 && operand.half != Operand::Half::full)
    return problem(Problem::Kind::type, place, fmt::format("a {} operand is a full register", type_name(operand.type)),
                   fmt::format("write $r{}, or use a 16-bit type", operand.index));
  const unsigned group = width / 4;
  if (group > 1 && operand.index % group != 0)
    return problem(
        Problem::Kind::register_number, place,
        fmt::format("a {} operand needs a register number that is a multiple of {}", type_name(operand.type), group),
        fmt::format("use $r{}", operand.index / group * group));
  return std::nullopt;
}

Found check_address_register(const Instruction& i, const Operand& operand, Place place) {
  const unsigned limit = i.form == Form::long_form ? 7 : 3;
  const bool atomic = i.opcode == Opcode::red || i.opcode == Opcode::atom;
  if (operand.address_register > limit || (atomic && operand.address_register != 0))
    return problem(Problem::Kind::register_number, place,
                   fmt::format("the {} form cannot name $ofs{}", form_word(i.form), operand.address_register),
                   fmt::format("use $ofs1 to $ofs{}", limit));
  if (!operand.post_increment) return std::nullopt;
  const unsigned a = operand.address_register;
  if (a == 0 || a == 5 || a == 6)
    return problem(Problem::Kind::register_number, place, fmt::format("$ofs{} cannot be incremented", a),
                   "use $ofs1 to $ofs4");
  return std::nullopt;
}

Found check_offset(const Instruction& i, const Operand& operand, SourceField field, Place place) {
  if (operand.kind == Kind::global) return std::nullopt;
  if (auto found = check_address_register(i, operand, place)) return found;
  const OffsetField reach = offset_field(field, i.form, operand);
  if (operand.offset % reach.unit != 0)
    return problem(Problem::Kind::range, place,
                   fmt::format("offset {:#x} is not a multiple of {}", operand.offset, reach.unit),
                   fmt::format("{} accesses are aligned to {} bytes", type_name(operand.type), reach.unit));
  if (operand.offset >= reach.minimum && operand.offset <= reach.maximum) return std::nullopt;
  const bool is_load = field == SourceField::constant_memory || field == SourceField::shared_memory ||
                       field == SourceField::local_memory;
  return problem(Problem::Kind::range, place,
                 fmt::format("offset {} is outside {} to {}", operand.offset, reach.minimum, reach.maximum),
                 is_load ? "addresses have 16 bits"
                         : fmt::format("the offset of a {}-form {} operand is short: put the address into an address "
                                       "register (mov.b32 $ofs1, ...) or load the value into a register first",
                                       form_word(i.form), type_name(operand.type)));
}

Found check_constant(const Instruction& i, const Operand& operand, Place place) {
  const unsigned banks = i.form == Form::short_form ? 2 : 16;
  if (operand.bank < banks) return std::nullopt;
  return problem(Problem::Kind::range, place,
                 fmt::format("the {} form cannot name bank c{}", form_word(i.form), operand.bank),
                 fmt::format("use c0 to c{}", banks - 1));
}

Found check_immediate(const Instruction& i, const Operand& operand, ValueType type, SourceField field, Place place) {
  std::uint32_t maximum = 0xffffffffU;
  if (field == SourceField::number && bytes_of(type) == 2) maximum = 0xffff;
  if (field == SourceField::number_16) maximum = 0xffff;
  if (field == SourceField::number_4) maximum = 15;
  if (field == SourceField::gpr_constant_or_count) maximum = 127;
  if (operand.immediate <= maximum) return std::nullopt;
  return problem(Problem::Kind::range, place,
                 fmt::format("{:#x} does not fit into the field of '{}'", operand.immediate, i.row().mnemonic),
                 fmt::format("the largest value is {:#x}", maximum));
}

bool same_register(const Operand& left, const Operand& right) {
  return left.kind == right.kind && left.index == right.index && left.half == right.half;
}

/// What a field accepts, in words.
std::string_view accepted(SourceField field) {
  switch (field) {
    case SourceField::gpr:
      return "a register";
    case SourceField::gpr_or_shared:
      return "a register or s[]";
    case SourceField::gpr_or_constant:
      return "a register or c[]";
    case SourceField::gpr_constant_or_count:
      return "a register, c[] or a shift count";
    case SourceField::result_again:
      return "the destination register again";
    case SourceField::address_register:
      return "an address register";
    case SourceField::flag_register:
      return "a flag register";
    case SourceField::special_register:
      return "a special register";
    case SourceField::global_memory:
      return "g[]";
    default:
      return "a number";
  }
}

bool accepts(SourceField field, Kind kind) {
  switch (field) {
    case SourceField::gpr:
    case SourceField::result_again:
      return kind == Kind::gpr;
    case SourceField::gpr_or_shared:
      return kind == Kind::gpr || kind == Kind::shared;
    case SourceField::gpr_or_constant:
      return kind == Kind::gpr || kind == Kind::constant;
    case SourceField::gpr_constant_or_count:
      return kind == Kind::gpr || kind == Kind::constant || kind == Kind::immediate;
    case SourceField::number:
    case SourceField::number_16:
    case SourceField::number_4:
      return kind == Kind::immediate;
    case SourceField::address_register:
      return kind == Kind::address;
    case SourceField::flag_register:
      return kind == Kind::flags;
    case SourceField::special_register:
      return kind == Kind::special;
    case SourceField::constant_memory:
      return kind == Kind::constant;
    case SourceField::shared_memory:
      return kind == Kind::shared;
    case SourceField::local_memory:
      return kind == Kind::local;
    case SourceField::global_memory:
      return kind == Kind::global;
    default:
      return kind == Kind::none;
  }
}

std::string operand_help(const Instruction& i, SourceField field, Kind kind) {
  if (kind == Kind::shared && field != SourceField::gpr_or_shared)
    return "only the first source can be s[]: swap the operands or load it first";
  if (kind == Kind::constant && field == SourceField::gpr_or_shared)
    return "c[] is the second or third source: swap the operands or load it first";
  if (kind == Kind::immediate && field == SourceField::gpr_or_shared)
    return "a number is always the second source: swap the operands";
  if (kind == Kind::immediate) return "move the number into a register first";
  if (field == SourceField::result_again)
    return i.form == Form::short_form ? "drop '.half' or use the destination" : "use the destination";
  if (field == SourceField::gpr && i.form == Form::short_form) return "drop '.half'";
  return "load it into a register first";
}

Found check_source(const Instruction& i, SourceField field, std::size_t position) {
  const Operand& operand = i.source[position];
  const Place place = source_place(position);
  const bool optional = i.opcode == Opcode::atom && position == 2 && i.atomic().operation != AtomicOperation::cas;
  if (optional && operand.kind == Kind::none) return std::nullopt;
  const bool wrong_destination = field == SourceField::result_again && !same_register(operand, i.destination[0]);
  if (!accepts(field, operand.kind) || wrong_destination) {
    return problem(Problem::Kind::operand, place,
                   fmt::format("source {} of '{}' in the {} form is {}", position + 1, i.row().mnemonic,
                               form_word(i.form), accepted(field)),
                   operand_help(i, field, operand.kind));
  }
  switch (operand.kind) {
    case Kind::gpr:
      return check_register(i, operand, place);
    case Kind::immediate:
      return check_immediate(i, operand, i.source_type[position], field, place);
    case Kind::constant:
      if (auto found = check_constant(i, operand, place)) return found;
      return check_offset(i, operand, field, place);
    case Kind::shared:
    case Kind::local:
      return check_offset(i, operand, field, place);
    default:
      return std::nullopt;
  }
}

/// Rules that concern two operands at once: one c[] operand, one address register.
Found check_memory_operands(const Instruction& i) {
  unsigned constants = 0;
  bool seen_memory = false;
  bool seen_shared = false;
  for (std::size_t position = 0; position < i.source.size(); ++position) {
    const Operand& operand = i.source[position];
    if (operand.kind != Kind::shared && operand.kind != Kind::constant) continue;
    const Place place = source_place(position);
    if (operand.kind == Kind::constant && ++constants > 1)
      return problem(Problem::Kind::operand, place, "only one operand can be c[]", "load one into a register first");
    if (operand.kind == Kind::constant && seen_shared && i.form == Form::short_form)
      return problem(Problem::Kind::operand, place, "the short form cannot hold s[] and c[] together", "drop '.half'");
    if (seen_memory && (operand.address_register != 0 || operand.post_increment))
      return problem(Problem::Kind::operand, place, "only the first memory operand can have an address register",
                     "load one operand into a register first");
    seen_memory = true;
    seen_shared = seen_shared || operand.kind == Kind::shared;
  }
  return std::nullopt;
}

Found check_sources(const Instruction& i) {
  const SourceFields& fields = form_row(i.opcode).sources(i.form);
  for (std::size_t position = 0; position < i.source.size(); ++position) {
    if (auto found = check_source(i, fields[position], position)) return found;
  }
  return check_memory_operands(i);
}

Kind result_kind(ResultField field) {
  if (field == ResultField::no_result) return Kind::none;
  return field == ResultField::address_result ? Kind::address : Kind::gpr;
}

Found check_destination(const Instruction& i) {
  const FormRow& row = form_row(i.opcode);
  const Operand& destination = i.destination[0];
  const bool discard_allowed = row.result == ResultField::gpr_or_discard && i.form == Form::long_form;
  if (destination.kind == Kind::discard && !discard_allowed)
    return problem(Problem::Kind::operand, Place::destination,
                   fmt::format("'{}' cannot discard its result in the {} form", i.row().mnemonic, form_word(i.form)),
                   "name a register");
  const Kind wanted = result_kind(row.result);
  if (destination.kind != Kind::discard && destination.kind != wanted)
    return problem(Problem::Kind::operand, Place::destination,
                   fmt::format("the destination of '{}' is {}", i.row().mnemonic,
                               wanted == Kind::address ? "an address register" : "a register"),
                   "");
  if (wanted == Kind::address && (destination.index == 0 || destination.index > 7))
    return problem(Problem::Kind::register_number, Place::destination, "$ofs0 cannot be written", "use $ofs1 to $ofs7");
  if (destination.kind == Kind::gpr) return check_register(i, destination, Place::destination);
  return std::nullopt;
}

Found check_flags(const Instruction& i) {
  const FlagField rule = form_row(i.opcode).flags;
  const bool lock_load = i.opcode == Opcode::load_shared;
  if (i.flag_destination >= 0 && (rule == FlagField::no_flags || (lock_load && !i.lock)))
    return problem(Problem::Kind::operand, Place::flags, fmt::format("'{}' does not write flags", i.row().mnemonic),
                   "drop the flag register");
  if (i.flag_destination < 0 && (rule == FlagField::always_flags || (lock_load && i.lock)))
    return problem(Problem::Kind::operand, Place::flags,
                   fmt::format("'{}' needs a flag register to write", i.row().mnemonic),
                   "write $p0| before the destination");
  return std::nullopt;
}

Found check_store_target(const Instruction& i) {
  const Operand& target = i.store_target;
  if (target.kind == Kind::none || target.kind == Kind::global) return std::nullopt;
  const SourceField field = target.kind == Kind::local ? SourceField::local_memory : SourceField::shared_memory;
  return check_offset(i, target, field, Place::store_target);
}

}  // namespace

std::optional<EncodingProblem> encoding_problem(const Instruction& instruction) {
  if (auto found = check_form(instruction)) return found;
  if (auto found = check_types(instruction)) return found;
  if (auto found = check_flags(instruction)) return found;
  if (auto found = check_destination(instruction)) return found;
  if (auto found = check_store_target(instruction)) return found;
  if (auto found = check_sources(instruction)) return found;
  return check_modifiers(instruction);
}

}  // namespace teslasim
