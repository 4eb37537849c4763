// SPDX-License-Identifier: Apache-2.0
// Fields of marks, guards, types, rounding and other modifiers of the long form.
#include <array>

#include "isa/encoding/fields.h"

namespace teslasim::fields {
namespace {

using Kind = Operand::Kind;

constexpr unsigned condition_low = 39;
constexpr unsigned condition_width = 5;
constexpr unsigned guard_low = 44;
constexpr unsigned flag_low = 36;
constexpr unsigned flag_enable = 38;
constexpr unsigned size_bit = 58;
constexpr unsigned sign_bit = 59;
constexpr unsigned register_width = 2;  ///< bits of a flag register number
constexpr std::uint8_t saturating_product_sm = 12;

ValueType integer_type(bool is_word, bool is_signed_type) {
  if (is_word) return is_signed_type ? ValueType::s32 : ValueType::u32;
  return is_signed_type ? ValueType::s16 : ValueType::u16;
}

/// The 16- or 32-bit size of the operation.
bool size_is_word(FieldCodec& codec, const Instruction& instruction, unsigned bit) {
  const unsigned bytes = bytes_of(instruction.type);
  codec.require(codec.decoding() || bytes == 2 || bytes == 4, "the operation works on 16 or 32 bits");
  bool is_word = bytes == 4;
  codec.flag(bit, is_word);
  return is_word;
}

void fixed_type(FieldCodec& codec, Instruction& instruction, ValueType type) {
  if (codec.decoding()) instruction.type = type;
  codec.require(instruction.type == type, "the operation does not have this type");
}

/// Rounding of f32 operations: only nearest (0) and zero (3) exist.
void two_way_rounding(FieldCodec& codec, Instruction& instruction, unsigned low) {
  codec.bits(low, 2, instruction.rounding);
  codec.require(instruction.rounding == Rounding::nearest || instruction.rounding == Rounding::zero,
                "f32 operations round to nearest or to zero only");
}

void flag_register(FieldCodec& codec, Instruction& instruction) {
  codec.require(codec.decoding() || instruction.flag_destination >= 0, "the operation writes a flag register");
  if (codec.failed()) return;
  auto index = static_cast<unsigned>(codec.decoding() ? 0 : instruction.flag_destination);
  codec.bits(flag_low, register_width, index);
  instruction.flag_destination = static_cast<std::int8_t>(index);
}

}  // namespace

void marks(FieldCodec& codec, Instruction& instruction) {
  constexpr unsigned exit_code = 1;
  constexpr unsigned join_code = 2;
  codec.has_marks = true;
  codec.require(!instruction.join || !instruction.exit, "an instruction cannot be both .join and .end");
  unsigned code = instruction.exit ? exit_code : instruction.join ? join_code : 0;
  codec.bits(32, 2, code);
  instruction.exit = code == exit_code;
  instruction.join = code == join_code;
}

void guard(FieldCodec& codec, Instruction& instruction) {
  codec.has_guard = true;
  codec.bits(condition_low, condition_width, instruction.condition);
  if (instruction.condition == condition_always && !instruction.reads_carry()) return;
  codec.bits(guard_low, register_width, instruction.guard_flags);
}

void vote_input(FieldCodec& codec, Instruction& instruction) {
  codec.has_guard = true;
  codec.bits(condition_low, condition_width, instruction.condition);
  codec.bits(guard_low, register_width, instruction.guard_flags);
}

void flag_source(FieldCodec& codec, Instruction& instruction) {
  Operand& operand = instruction.source[0];
  codec.has_guard = true;
  codec.bits(condition_low, condition_width, instruction.condition);
  if (codec.decoding()) operand.kind = Kind::flags;
  codec.require(operand.kind == Kind::flags, "the source must be a flag register");
  codec.bits(guard_low, register_width, operand.index);
  if (codec.decoding()) instruction.guard_flags = operand.index;
  codec.require(instruction.guard_flags == operand.index, "the flag register copied is also the one tested");
}

void flag_result(FieldCodec& codec, Instruction& instruction) {
  codec.has_flag_result = true;
  bool enabled = instruction.flag_destination >= 0;
  codec.flag(flag_enable, enabled);
  if (enabled) flag_register(codec, instruction);
}

void flag_result_always(FieldCodec& codec, Instruction& instruction) {
  codec.has_flag_result = true;
  flag_register(codec, instruction);
}

void type_size(FieldCodec& codec, Instruction& instruction) {
  instruction.type = size_is_word(codec, instruction, size_bit) ? ValueType::b32 : ValueType::b16;
}
void type_unsigned(FieldCodec& codec, Instruction& instruction) {
  instruction.type = integer_type(size_is_word(codec, instruction, size_bit), false);
}
void type_integer(FieldCodec& codec, Instruction& instruction) {
  bool is_signed_type = is_signed(instruction.type);
  const bool is_word = size_is_word(codec, instruction, size_bit);
  codec.flag(sign_bit, is_signed_type);
  instruction.type = integer_type(is_word, is_signed_type);
}
void type_adder(FieldCodec& codec, Instruction& instruction) {
  const bool is_word = size_is_word(codec, instruction, size_bit);
  codec.flag(sign_bit, instruction.saturate);
  instruction.type = integer_type(is_word, instruction.saturate);
}
void type_f32(FieldCodec& codec, Instruction& instruction) {
  fixed_type(codec, instruction, ValueType::f32);
}
void type_f64(FieldCodec& codec, Instruction& instruction) {
  fixed_type(codec, instruction, ValueType::f64);
}
void type_b32(FieldCodec& codec, Instruction& instruction) {
  fixed_type(codec, instruction, ValueType::b32);
}

void product_16(FieldCodec& codec, Instruction& instruction) {
  bool first_signed = is_signed(instruction.source_type[0]);
  bool second_signed = is_signed(instruction.source_type[1]);
  codec.require(!instruction.product_24 && !instruction.high, "not a 16x16 product");
  codec.flag(47, first_signed);
  codec.flag(46, second_signed);
  instruction.source_type[0] = integer_type(false, first_signed);
  instruction.source_type[1] = integer_type(false, second_signed);
  instruction.type = integer_type(true, first_signed || second_signed);
}
void product_24(FieldCodec& codec, Instruction& instruction) {
  bool is_signed_type = is_signed(instruction.type);
  if (codec.decoding()) instruction.product_24 = true;
  codec.require(instruction.product_24, "not a 24x24 product");
  codec.flag(47, is_signed_type);
  codec.flag(46, instruction.high);
  instruction.type = integer_type(true, is_signed_type);
  instruction.source_type[0] = instruction.source_type[1] = instruction.type;
}

void compare_integer(FieldCodec& codec, Instruction& instruction) {
  codec.bits(46, 3, instruction.compare);
}
void compare_float(FieldCodec& codec, Instruction& instruction) {
  codec.bits(46, 4, instruction.compare);
}

void negate_first(FieldCodec& codec, Instruction& instruction) {
  codec.flag(58, instruction.source[0].negate);
}
void negate_second(FieldCodec& codec, Instruction& instruction) {
  codec.flag(59, instruction.source[1].negate);
}
void negate_third(FieldCodec& codec, Instruction& instruction) {
  codec.flag(59, instruction.source[2].negate);
}
void absolute_first(FieldCodec& codec, Instruction& instruction) {
  codec.flag(52, instruction.source[0].absolute);
}
void absolute_second(FieldCodec& codec, Instruction& instruction) {
  codec.flag(51, instruction.source[1].absolute);
}
void invert_first(FieldCodec& codec, Instruction& instruction) {
  codec.flag(48, instruction.source[0].invert);
}
void invert_second(FieldCodec& codec, Instruction& instruction) {
  codec.flag(49, instruction.source[1].invert);
}
void saturate_operation(FieldCodec& codec, Instruction& instruction) {
  codec.flag(61, instruction.saturate);
}
void saturate_ex2(FieldCodec& codec, Instruction& instruction) {
  codec.flag(59, instruction.saturate);
}
void saturate_product(FieldCodec& codec, Instruction& instruction) {
  if (codec.sm() >= saturating_product_sm) {
    codec.flag(52, instruction.saturate);
  } else {
    codec.require(!instruction.saturate, "f32 products saturate from sm_12 on");
  }
}
void rounding_add(FieldCodec& codec, Instruction& instruction) {
  two_way_rounding(codec, instruction, 16);
}
void rounding_mul(FieldCodec& codec, Instruction& instruction) {
  two_way_rounding(codec, instruction, 46);
}
void rounding_dadd(FieldCodec& codec, Instruction& instruction) {
  codec.bits(16, 2, instruction.rounding);
}
void rounding_dmul(FieldCodec& codec, Instruction& instruction) {
  codec.bits(49, 2, instruction.rounding);
}
void rounding_dfma(FieldCodec& codec, Instruction& instruction) {
  codec.bits(54, 2, instruction.rounding);
}

void quad_lanes(FieldCodec& codec, Instruction& instruction) {
  constexpr unsigned all_lanes_of_a_quad = 15;
  std::uint8_t& skipped = instruction.move().skipped_lanes;
  unsigned written = all_lanes_of_a_quad & ~static_cast<unsigned>(skipped);
  codec.bits(46, 4, written);
  skipped = static_cast<std::uint8_t>(all_lanes_of_a_quad & ~written);
}
void sfu_hint(FieldCodec& codec, Instruction& instruction) {
  codec.flag(57, instruction.sfu_hint);
}
void short_sfu_hint(FieldCodec& codec, Instruction& instruction) {
  codec.flag(17, instruction.sfu_hint);
}
void slct_negated(FieldCodec& codec, Instruction& instruction) {
  codec.flag(61, instruction.select().negated);
}

void quad_operation(FieldCodec& codec, Instruction& instruction) {
  constexpr std::array<unsigned, 4> lane_low{58, 56, 54, 20};
  QuadDetails& details = instruction.quad();
  codec.bits(16, 3, details.selected);
  for (std::size_t lane = 0; lane < lane_low.size(); ++lane) codec.bits(lane_low[lane], 2, details.operation[lane]);
}

void vote_kind(FieldCodec& codec, Instruction& instruction) {
  constexpr unsigned any_code = 1;
  constexpr unsigned all_code = 2;
  VoteKind& kind = instruction.vote().kind;
  unsigned code = kind == VoteKind::any ? any_code : all_code;
  codec.bits(9, 2, code);
  codec.require(code == any_code || code == all_code, "no such vote");
  kind = code == any_code ? VoteKind::any : VoteKind::all;
}

}  // namespace teslasim::fields
