// SPDX-License-Identifier: Apache-2.0
#include "isa/type_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "isa/names.h"

namespace teslasim {
namespace {

using Found = std::optional<EncodingProblem>;
using Kind = EncodingProblem::Kind;
using Place = EncodingProblem::Place;

Found refuse(Kind kind, Place place, std::string message, std::string help) {
  return EncodingProblem{kind, place, std::move(message), std::move(help)};
}

bool is_small_integer(ValueType type) {
  return type == ValueType::u16 || type == ValueType::s16;
}
bool is_word_integer(ValueType type) {
  return type == ValueType::u32 || type == ValueType::s32;
}
bool is_long_integer(ValueType type) {
  return type == ValueType::u64 || type == ValueType::s64;
}
bool is_byte(ValueType type) {
  return type == ValueType::u8 || type == ValueType::s8;
}
bool is_integer(ValueType type) {
  return is_small_integer(type) || is_word_integer(type);
}
bool is_small_float(ValueType type) {
  return type == ValueType::f16 || type == ValueType::f32;
}
bool is_memory_type(ValueType type) {
  return is_byte(type) || is_small_integer(type) || type == ValueType::b32 || type == ValueType::b64 ||
         type == ValueType::b128;
}

bool convertible(Opcode opcode, ValueType to, ValueType from) {
  const bool from_small = is_byte(from) || is_integer(from);
  switch (opcode) {
    case Opcode::convert_int_int:
      return is_integer(to) && from_small;
    case Opcode::convert_int_float:
      if (is_small_float(to) && from_small) return true;
      return (to == ValueType::f64 && (is_word_integer(from) || is_long_integer(from))) ||
             (to == ValueType::f32 && is_long_integer(from));
    case Opcode::convert_float_int:
      if (is_integer(to) && is_small_float(from)) return true;
      return (is_long_integer(to) && (from == ValueType::f64 || from == ValueType::f32)) ||
             (is_word_integer(to) && from == ValueType::f64);
    default:
      if (is_small_float(to) && is_small_float(from)) return true;
      return (to == ValueType::f64 && (from == ValueType::f64 || from == ValueType::f32)) ||
             (to == ValueType::f32 && from == ValueType::f64);
  }
}

/// The product of mul and mad: 16x16 of any signs, or 24x24 of equal signs.
bool product_types_fit(const Instruction& i) {
  const ValueType first = i.source_type[0];
  const ValueType second = i.source_type[1];
  if (!is_word_integer(i.type)) return false;
  if (i.product_24) return is_word_integer(first) && first == second && i.type == first;
  const bool any_signed = is_signed(first) || is_signed(second);
  return is_small_integer(first) && is_small_integer(second) && !i.high && is_signed(i.type) == any_signed;
}

/// The eight (with 7.0: nine) product kinds of mad; four in the short and immediate forms.
bool mad_kind_fits(const Instruction& i) {
  if (i.source_type[0] != i.source_type[1]) return false;
  if (i.saturate && !is_signed(i.source_type[0])) return false;
  if (i.form == Form::long_form) return true;
  if (!i.product_24) return true;
  return !is_signed(i.source_type[0]) && !i.high && !i.saturate;
}

bool type_fits(const Instruction& i) {
  const ValueType type = i.type;
  switch (form_row(i.opcode).types) {
    case TypeRule::any_types:
      return true;
    case TypeRule::bit_types:
      return type == ValueType::b32 || type == ValueType::b16;
    case TypeRule::integers:
      return is_integer(type);
    case TypeRule::unsigned_integers:
      return is_integer(type) && !is_signed(type);
    case TypeRule::adder_types:
      return is_integer(type) && is_signed(type) == i.saturate;
    case TypeRule::product_types:
      return product_types_fit(i);
    case TypeRule::product_sum_types:
      return product_types_fit(i) && mad_kind_fits(i);
    case TypeRule::conversion_types:
      return convertible(i.opcode, type, i.source_type[0]);
    case TypeRule::memory_types:
      return is_memory_type(type);
    case TypeRule::atomic_types:
      return is_word_integer(type) || type == ValueType::u64;
  }
  return false;
}

/// Of the bit operations only mov has room for a size in its immediate form; the logic ones have 32 bits.
Found check_logic_immediate(const Instruction& i) {
  if (i.form != Form::immediate_form || i.type != ValueType::b16) return std::nullopt;
  if (form_row(i.opcode).types != TypeRule::bit_types || i.opcode == Opcode::mov) return std::nullopt;
  return refuse(Kind::type, Place::source_1, fmt::format("'{}' takes a number only with 32 bits", i.row().mnemonic),
                "use .b32, or put the number into a half register or c[]");
}

Found check_conversion_source(const Instruction& i) {
  const Operand& source = i.source[0];
  const ValueType from = i.source_type[0];
  if (source.kind == Operand::Kind::shared && bytes_of(from) == 8)
    return refuse(Kind::operand, Place::source_0, "a 64-bit source of cvt cannot be s[]",
                  "load it into registers first");
  return std::nullopt;
}

Found check_operand_modifiers(const Instruction& i) {
  const FormRow& row = form_row(i.opcode);
  for (std::size_t position = 0; position < i.source.size(); ++position) {
    const Operand& operand = i.source[position];
    const Place place = static_cast<Place>(static_cast<std::size_t>(Place::source_0) + position);
    const auto cannot = [&](std::string_view what) {
      return refuse(Kind::operand, place,
                    fmt::format("source {} of '{}' cannot be {}", position + 1, i.row().mnemonic, what), "");
    };
    if (operand.negate && !row.negates.contains(position)) return cannot("negated");
    if (operand.absolute && !row.absolutes.contains(position)) return cannot("an absolute value");
    const bool narrow_logic = i.form == Form::immediate_form && operand.kind == Operand::Kind::immediate;
    if (operand.invert && (narrow_logic || !row.inverts.contains(position))) return cannot("complemented");
  }
  return std::nullopt;
}

bool has_saturation(const Instruction& i) {
  const SaturationRule rule = form_row(i.opcode).saturation;
  if (rule == SaturationRule::saturates_below_f64)
    return i.type != ValueType::f64 && i.source_type[0] != ValueType::f64;
  return rule == SaturationRule::can_saturate;
}

bool rounding_fits(const Instruction& i) {
  if (i.rounding == Rounding::nearest) return true;
  const RoundingRule rule = form_row(i.opcode).rounding;
  if (rule == RoundingRule::nearest_or_zero) return i.rounding == Rounding::zero && i.form == Form::long_form;
  return rule == RoundingRule::every_rounding;
}

/// Operations that the atomic unit does not have: `red` that would only return a value, 64-bit ones.
Found check_atomic(const Instruction& i) {
  if (i.opcode != Opcode::red && i.opcode != Opcode::atom) return std::nullopt;
  const AtomicOperation operation = i.atomic().operation;
  const bool exchange = operation == AtomicOperation::exch || operation == AtomicOperation::cas;
  if (i.opcode == Opcode::red && exchange)
    return refuse(Kind::operand, Place::instruction,
                  fmt::format("'red' has no {}: it returns nothing", atomic_name(operation)), "use atom");
  if (i.type == ValueType::u64 && !exchange && operation != AtomicOperation::add)
    return refuse(Kind::type, Place::instruction, fmt::format("there is no 64-bit atomic {}", atomic_name(operation)),
                  "64-bit operations are add, exch and cas");
  return std::nullopt;
}

Found check_texture(const Instruction& i) {
  constexpr unsigned all_components = 15;
  if (i.opcode != Opcode::tex) return std::nullopt;
  const TextureDetails& texture = i.texture();
  const auto results = static_cast<unsigned>(std::popcount(texture.result_mask));
  if (results == 0)
    return refuse(Kind::operand, Place::destination, "'tex' has no result register", "name at least one component");
  if (i.destination[0].index + std::max<unsigned>(results, texture.coordinates) > all_registers)
    return refuse(Kind::register_number, Place::destination, "the registers of 'tex' go beyond $r127",
                  "use lower registers");
  const bool plain = texture.result_mask == all_components && texture.operation == TextureOperation::sample &&
                     !texture.cube && !texture.derivative && texture.texel_offsets == 0;
  if (i.form == Form::short_form && !plain)
    return refuse(Kind::form, Place::instruction, "the short form of 'tex' is a plain fetch of all four components",
                  "drop '.half'");
  if (texture.sampler > 31) return refuse(Kind::range, Place::instruction, "there are 32 samplers", "");
  if (i.source[0].index != i.destination[0].index)
    return refuse(Kind::operand, Place::source_0, "the arguments of 'tex' start at its first result register",
                  fmt::format("start them at $r{}", i.destination[0].index));
  return std::nullopt;
}

}  // namespace

Found check_types(const Instruction& i) {
  if (!type_fits(i)) {
    return refuse(Kind::type, Place::instruction, fmt::format("'{}' does not have these types", i.row().mnemonic),
                  fmt::format("see 'teslasim explain {}'", i.row().mnemonic));
  }
  if (auto found = check_logic_immediate(i)) return found;
  return check_conversion_source(i);
}

Found check_modifiers(const Instruction& i) {
  if (i.saturate && !has_saturation(i))
    return refuse(Kind::operand, Place::instruction, fmt::format("'{}' cannot saturate", i.row().mnemonic),
                  "drop '.sat'");
  if (!rounding_fits(i)) {
    return refuse(Kind::operand, Place::instruction,
                  fmt::format("'{}' cannot round with .{} here", i.row().mnemonic, rounding_name(i.rounding)),
                  i.opcode == Opcode::fmad ? "the hardware always rounds the sum to nearest: drop it" : "use .rn");
  }
  if (i.sfu_hint && i.form == Form::immediate_form)
    return refuse(Kind::form, Place::instruction, "the immediate form has no .sfu", "drop '.sfu'");
  if (i.opcode == Opcode::mov && i.move().skipped_lanes != 0 && i.form != Form::long_form)
    return refuse(Kind::form, Place::instruction, "only the long form of 'mov' has a quad mask", "drop '.half'");
  if (auto found = check_operand_modifiers(i)) return found;
  if (i.opcode == Opcode::bar && !i.barrier().arrive && !i.barrier().wait)
    return refuse(Kind::operand, Place::instruction, "'bar' neither arrives nor waits", "write bar.sync");
  if (auto found = check_atomic(i)) return found;
  return check_texture(i);
}

}  // namespace teslasim
