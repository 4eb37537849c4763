// SPDX-License-Identifier: Apache-2.0
#include "isa/disassembler.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "isa/forms.h"
#include "isa/names.h"
#include "isa/operand_text.h"

namespace teslasim {
namespace {

using Kind = Operand::Kind;

/// `.u32.u16.u16.u32`, or one type when all are equal.
std::string type_list(const std::vector<ValueType>& types) {
  bool equal = true;
  for (const ValueType type : types) equal = equal && type == types.front();
  std::string text;
  for (std::size_t i = 0; i < (equal ? 1 : types.size()); ++i) text += fmt::format(".{}", type_name(types[i]));
  return text;
}

std::string_view memory_word(ValueType type) {
  return type == ValueType::b32 ? "u32" : type_name(type);
}

/// Types of a load from s[] or c[] into a full or half register.
std::string load_types(bool half, ValueType access) {
  switch (access) {
    case ValueType::u16:
      return half ? ".u16" : ".u32.u16";
    case ValueType::s16:
      return half ? ".s16" : ".s32.s16";
    case ValueType::u8:
      return half ? ".u16.u8" : ".u32.u8";
    default:
      return half ? ".b16.b32" : ".b32";
  }
}

std::string store_types(bool half, ValueType access) {
  switch (access) {
    case ValueType::u8:
      return half ? ".b8.b16" : ".b8.b32";
    case ValueType::u16:
      return half ? ".b16" : ".b16.b32";
    default:
      return half ? ".b32.b16" : ".b32";
  }
}

std::string rounding(const Instruction& i) {
  return fmt::format(".{}", rounding_name(i.rounding));
}
std::string saturation(const Instruction& i) {
  return i.saturate ? ".sat" : "";
}

/// Short and immediate forms of add do not say a sign.
std::string add_types(const Instruction& i) {
  if (i.form == Form::long_form || i.saturate) return saturation(i) + fmt::format(".{}", type_name(i.type));
  return bytes_of(i.type) == 2 ? ".b16" : ".b32";
}

std::string product_type_text(const Instruction& i, bool with_addend) {
  std::vector<ValueType> types{i.type, i.source_type[0], i.source_type[1]};
  if (with_addend) types.push_back(i.type);
  return type_list(types);
}

/// The two compared values have the operation's type, the result and the third source 32 bits.
std::string sad_types(const Instruction& i) {
  const ValueType word = bytes_of(i.type) == 4 ? i.type : ValueType::u32;
  return type_list({word, i.type, i.type, word});
}

std::string mad_modifiers(const Instruction& i) {
  constexpr std::array<std::string_view, 4> operations{"", ".sub", ".subr", ".addc"};
  return fmt::format("{}{}{}", i.high ? ".hi" : ".lo", operations[static_cast<std::size_t>(i.mad_operation)],
                     saturation(i));
}

std::string conversion(const Instruction& i) {
  const bool integral = i.round_to_integer || i.opcode == Opcode::convert_float_int;
  return fmt::format("{}{}{}{}{}{}", i.source[0].negate ? ".neg" : "", rounding(i), integral ? "i" : "", saturation(i),
                     i.source[0].absolute ? ".abs" : "", type_list({i.type, i.source_type[0]}));
}

std::string quad_modifiers(const Instruction& i) {
  constexpr std::array<std::string_view, 4> names{"add", "subr", "sub", "pass"};
  std::string text = fmt::format(".l{}", i.quad().selected);
  for (const QuadOperation operation : i.quad().operation)
    text += fmt::format(".{}", names[static_cast<std::size_t>(operation)]);
  return text + ".f32";
}

std::string texture_modifiers(const Instruction& i) {
  constexpr std::array<std::string_view, 4> operations{"", ".bias", ".lod", ".size"};
  const TextureDetails& texture = i.texture();
  const unsigned extra = texture.has_extra_argument() ? 1 : 0;
  std::string text = texture.cube ? ".cube" : "";
  if (!texture.cube && texture.coordinates > extra) text = fmt::format(".{}d", texture.coordinates - extra);
  return fmt::format("{}{}{}{}.b32.{}", text, operations[static_cast<std::size_t>(texture.operation)],
                     texture.live ? ".live" : "", texture.derivative ? ".deriv" : "",
                     texture.texel_fetch ? "s32" : "f32");
}

/// Is this load from s[] within reach of an ordinary mov, so that it must be marked?
bool needs_load_mark(const Instruction& i) {
  const OffsetField reach = offset_field(SourceField::gpr_or_shared, Form::long_form, i.source[0]);
  return i.source[0].offset >= reach.minimum && i.source[0].offset <= reach.maximum;
}

std::string move_modifiers(const Instruction& i) {
  std::string text = i.sfu_hint ? ".sfu" : "";
  const unsigned skipped = i.move().skipped_lanes;
  if (skipped != 0) text += fmt::format(".quad{}", 15U ^ (skipped & 15U));
  if (i.source[0].kind == Kind::shared) return text + load_types(i.type == ValueType::b16, i.source[0].type);
  return text + fmt::format(".{}", type_name(i.type));
}

std::string barrier_modifiers(const Instruction& i) {
  if (i.barrier().arrive && i.barrier().wait) return ".sync.u32";
  return i.barrier().arrive ? ".arrive.u32" : ".wait.u32";
}

/// Modifiers and types of moves, loads, stores and the other operations on memory.
std::string memory_modifiers(const Instruction& i) {
  const bool half_register = i.type == ValueType::b16;
  switch (i.opcode) {
    case Opcode::mov:
      return move_modifiers(i);
    case Opcode::load_constant:
      return load_types(half_register, i.source[0].type);
    case Opcode::load_shared:
      return std::string(i.lock               ? ".lock"
                         : needs_load_mark(i) ? ".ld"
                                              : "") +
             load_types(half_register, i.source[0].type);
    case Opcode::store_shared:
      return std::string(i.lock ? ".unlock" : "") + store_types(half_register, i.store_target.type);
    case Opcode::load_local:
    case Opcode::store_local:
    case Opcode::load_global:
    case Opcode::store_global:
      return fmt::format(".{}", memory_word(i.type));
    case Opcode::red:
    case Opcode::atom:
      return fmt::format(".{}.{}", atomic_name(i.atomic().operation), type_name(i.type));
    case Opcode::tex:
      return texture_modifiers(i);
    default:
      return ".b32";  // moves between register files
  }
}

/// The same for arithmetic.
std::string arithmetic_modifiers(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::subr:
    case Opcode::addc:
      return add_types(i);
    case Opcode::set:
      return fmt::format(".{}.{}", integer_comparisons[static_cast<unsigned>(i.compare) & 7U], type_name(i.type));
    case Opcode::fset:
    case Opcode::dset:
      return fmt::format(".{}{}", float_comparisons[static_cast<unsigned>(i.compare) & 15U],
                         type_list({ValueType::u32, i.type, i.type}));
    case Opcode::mul:
      return (i.high ? ".hi" : ".lo") + product_type_text(i, false);
    case Opcode::mad:
      return mad_modifiers(i) + product_type_text(i, true);
    case Opcode::sad:
      return sad_types(i);
    case Opcode::convert_int_int:
    case Opcode::convert_int_float:
    case Opcode::convert_float_int:
    case Opcode::convert_float_float:
      return conversion(i);
    case Opcode::fadd:
    case Opcode::fmul:
    case Opcode::fmad:
      return fmt::format("{}{}.f32", rounding(i), saturation(i));
    case Opcode::dadd:
    case Opcode::dmul:
    case Opcode::dfma:
      return fmt::format("{}.f64", rounding(i));
    case Opcode::slct:
      return ".b32.f32";
    case Opcode::quadop:
      return quad_modifiers(i);
    default:
      return fmt::format("{}.{}", saturation(i), type_name(i.type));
  }
}

std::string control_modifiers(const Instruction& i) {
  if (i.opcode == Opcode::bar) return barrier_modifiers(i);
  return i.opcode == Opcode::call && i.branch().limited ? ".lim" : "";
}

/// Modifiers and types after the base word (and .join, .end, .half).
std::string modifiers(const Instruction& i) {
  if (i.opcode == Opcode::vote) return i.vote().kind == VoteKind::any ? ".any" : ".all";
  if (i.unit() == UnitClass::control) return control_modifiers(i);
  const bool moves = i.opcode <= Opcode::store_shared || i.unit() == UnitClass::memory;
  return moves ? memory_modifiers(i) : arithmetic_modifiers(i);
}

bool is_mac(const Instruction& i) {
  return i.opcode == Opcode::fmad && i.form != Form::long_form && !i.source[2].negate;
}

/// $a0 reads 0: adding to it is a plain load of the address register.
bool loads_address(const Instruction& i) {
  return i.opcode == Opcode::add_address && i.source[0].index == 0;
}

std::string_view base_word(const Instruction& i) {
  if (is_mac(i)) return "mac";
  if (loads_address(i)) return "mov";
  if (i.opcode == Opcode::logic_pass) return i.source[1].invert ? "not" : "pass";
  return i.row().mnemonic;
}

std::string texture_operands(const Instruction& i) {
  constexpr unsigned components = 4;
  const TextureDetails& texture = i.texture();
  const unsigned argument_mask = (1U << texture.coordinates) - 1U;
  std::string text =
      fmt::format("{}, $tex{}", group_text(i.destination[0].index, texture.result_mask, components), texture.texture);
  if (texture.sampler != texture.texture) text += fmt::format(", $smp{}", texture.sampler);
  text += ", " + group_text(i.source[0].index, argument_mask, texture.coordinates);
  for (unsigned axis = 0; axis < 3 && texture.texel_offsets != 0; ++axis) {
    const int bits = (texture.texel_offsets >> (4 * axis)) & 15;
    text += fmt::format(", {}", bits < 8 ? bits : bits - 16);
  }
  return text;
}

std::string target_text(const Instruction& i, const Kernel* labels) {
  if (labels != nullptr) {
    const auto found = labels->labels.find(i.branch().target);
    if (found != labels->labels.end()) return fmt::format(".label {}", found->second);
  }
  return fmt::format(".u32 {:#08x}", i.branch().target);
}

std::vector<std::string> written_operands(const Instruction& i) {
  std::vector<std::string> operands;
  const std::string flags = i.flag_destination >= 0 ? fmt::format("$p{}", i.flag_destination) : "";
  if (i.opcode == Opcode::mov_to_flags || i.opcode == Opcode::vote) operands.push_back(flags);
  if (i.store_target.kind != Kind::none) operands.push_back(operand_text(i.store_target, i.store_target.type));
  if (i.destination[0].kind != Kind::none) {
    const std::string destination = operand_text(i.destination[0], ValueType::none);
    operands.push_back(flags.empty() ? destination : fmt::format("{}|{}", flags, destination));
  }
  return operands;
}

std::vector<std::string> source_operands(const Instruction& instruction) {
  Instruction i = instruction;
  const bool access_in_type = i.opcode == Opcode::mov || i.opcode == Opcode::load_shared;
  if (access_in_type && i.source[0].kind == Kind::shared) i.source_type[0] = i.source[0].type;
  const bool conversion_signs = i.opcode == Opcode::convert_int_int || i.opcode == Opcode::convert_int_float ||
                                i.opcode == Opcode::convert_float_int || i.opcode == Opcode::convert_float_float;
  if (conversion_signs) i.source[0].negate = i.source[0].absolute = false;  // printed as modifiers
  if (i.opcode == Opcode::logic_pass) i.source[1].invert = false;
  if (i.opcode == Opcode::slct && i.select().negated) i.source[2].negate = !i.source[2].negate;
  std::vector<std::string> operands;
  for (std::size_t position = 0; position < i.source.size(); ++position) {
    const bool hidden =
        (position == 0 && (loads_address(i) || i.opcode == Opcode::logic_pass)) || (position == 2 && is_mac(i));
    if (i.source[position].kind == Kind::none || hidden) continue;
    operands.push_back(source_text(i, position));
  }
  return operands;
}

std::string operands_text(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::tex:
      return texture_operands(i);
    case Opcode::vote:
      return fmt::format("$p{}, $p{}.{}", i.flag_destination, i.guard_flags, condition_name(i.condition));
    case Opcode::bar: {
      constexpr unsigned all_threads = 0xfff;
      const std::string number = fmt::format("{:#010x}", i.barrier().number);
      const unsigned threads = i.barrier().threads;
      return threads == all_threads ? number : fmt::format("{}, {:#010x}", number, threads);
    }
    case Opcode::pmevent:
      return fmt::format("{:#x}", i.event().number);
    default:
      break;
  }
  std::vector<std::string> operands = written_operands(i);
  for (std::string& source : source_operands(i)) operands.push_back(std::move(source));
  if (i.form == Form::long_form && i.reads_carry()) operands.push_back(fmt::format("$p{}", i.guard_flags));
  return fmt::format("{}", fmt::join(operands, ", "));
}

}  // namespace

std::string to_text(const Instruction& instruction, const Kernel* labels) {
  std::string text;
  if (instruction.predicated())
    text = fmt::format("@$p{}.{} ", instruction.guard_flags, condition_name(instruction.condition));
  text += base_word(instruction);
  if (instruction.join) text += ".join";
  if (instruction.exit) text += ".end";
  if (instruction.form == Form::short_form) text += ".half";
  text += modifiers(instruction);
  if (has_target(instruction.opcode)) return text + target_text(instruction, labels);
  const std::string operands = operands_text(instruction);
  return operands.empty() ? text : fmt::format("{} {}", text, operands);
}

}  // namespace teslasim
