// SPDX-License-Identifier: Apache-2.0
// Fields that hold destinations and register, s[], c[] and literal sources.
#include "isa/encoding/fields.h"
#include "isa/encoding/operand_codec.h"

namespace teslasim::fields {
namespace {

using Kind = Operand::Kind;

constexpr unsigned destination_low = 2;
constexpr unsigned first_low = 9;
constexpr unsigned second_low = 16;
constexpr unsigned third_low = 46;
constexpr unsigned long_width = 7;
constexpr unsigned short_width = 6;
constexpr unsigned second_choice = 23;
constexpr unsigned third_choice = 24;
constexpr unsigned word_bytes = 4;

unsigned operation_bytes(const Instruction& instruction) {
  return bytes_of(instruction.type);
}
unsigned source_bytes(const Instruction& instruction, std::size_t position) {
  return bytes_of(instruction.source_type[position]);
}

/// An operand that names a register of another file by its number.
void numbered(FieldCodec& codec, Operand& operand, Kind kind, unsigned low, unsigned width) {
  if (codec.decoding()) operand.kind = kind;
  codec.require(operand.kind == kind, "an operand is of the wrong kind");
  codec.bits(low, width, operand.index);
}

void literal_operand(FieldCodec& codec, Operand& operand, unsigned bytes) {
  constexpr unsigned low_width = 6;
  constexpr unsigned high_low = 34;
  const unsigned high_width = bytes <= 2 ? 10 : 26;
  if (codec.decoding()) operand.kind = Kind::immediate;
  codec.require(operand.kind == Kind::immediate, "the immediate form needs a literal");
  std::uint32_t low_bits = operand.immediate & ((1U << low_width) - 1);
  std::uint32_t high_bits = operand.immediate >> low_width;
  codec.bits(second_low, low_width, low_bits);
  codec.bits(high_low, high_width, high_bits);
  operand.immediate = low_bits | high_bits << low_width;
}

void plain_literal(FieldCodec& codec, Operand& operand, unsigned low, unsigned width) {
  if (codec.decoding()) operand.kind = Kind::immediate;
  codec.require(operand.kind == Kind::immediate, "an operand that must be a literal is not one");
  codec.bits(low, width, operand.immediate);
}

}  // namespace

void result(FieldCodec& codec, Instruction& instruction) {
  result_operand(codec, instruction.destination[0], operation_bytes(instruction));
}
void result_word(FieldCodec& codec, Instruction& instruction) {
  result_operand(codec, instruction.destination[0], word_bytes);
}
void plain_result_word(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.destination[0], destination_low, long_width, word_bytes);
}
void plain_result(FieldCodec& codec, Instruction& instruction) {
  const unsigned bytes = operation_bytes(instruction) < word_bytes ? word_bytes : operation_bytes(instruction);
  register_operand(codec, instruction.destination[0], destination_low, long_width, bytes);
}
void address_result(FieldCodec& codec, Instruction& instruction) {
  numbered(codec, instruction.destination[0], Kind::address, destination_low, 3);
}
void short_result(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.destination[0], destination_low, short_width, operation_bytes(instruction));
}
void short_result_word(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.destination[0], destination_low, short_width, word_bytes);
}
void immediate_mov_result(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.destination[0], destination_low, long_width, operation_bytes(instruction));
}

void first(FieldCodec& codec, Instruction& instruction) {
  register_or_shared(codec, instruction.source[0], FieldSize::long_fields, operation_bytes(instruction));
}
void first_by_source_type(FieldCodec& codec, Instruction& instruction) {
  register_or_shared(codec, instruction.source[0], FieldSize::long_fields, source_bytes(instruction, 0));
}
void first_register(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.source[0], first_low, long_width, operation_bytes(instruction));
}
void first_register_word(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.source[0], first_low, long_width, word_bytes);
}
void first_word(FieldCodec& codec, Instruction& instruction) {
  register_or_shared(codec, instruction.source[0], FieldSize::long_fields, word_bytes);
}
void second(FieldCodec& codec, Instruction& instruction) {
  register_or_constant(codec, instruction.source[1], second_low, second_choice, operation_bytes(instruction));
}
void second_by_source_type(FieldCodec& codec, Instruction& instruction) {
  register_or_constant(codec, instruction.source[1], second_low, second_choice, source_bytes(instruction, 1));
}
void second_or_count(FieldCodec& codec, Instruction& instruction) {
  constexpr unsigned count_bit = 52;
  bool is_count = instruction.source[1].kind == Kind::immediate;
  codec.flag(count_bit, is_count);
  if (is_count) {
    plain_literal(codec, instruction.source[1], second_low, long_width);
  } else {
    second(codec, instruction);
  }
}
void second_register(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.source[1], second_low, long_width, operation_bytes(instruction));
}
void passed(FieldCodec& codec, Instruction& instruction) {
  if (codec.decoding() && codec.peek(second_choice, 2) == 3) codec.fail("a space of geometry programs");
  codec.require(instruction.source[0].kind == Kind::none, "this operation passes its only source");
  second(codec, instruction);
}
void second_from_third(FieldCodec& codec, Instruction& instruction) {
  register_or_constant(codec, instruction.source[1], third_low, third_choice, operation_bytes(instruction));
}
void second_register_from_third(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.source[1], third_low, long_width, operation_bytes(instruction));
}
void third_word(FieldCodec& codec, Instruction& instruction) {
  register_or_constant(codec, instruction.source[2], third_low, third_choice, word_bytes);
}
void third_register(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.source[2], third_low, long_width, operation_bytes(instruction));
}
void address_source(FieldCodec& codec, Instruction& instruction) {
  Operand& operand = instruction.source[0];
  if (codec.decoding()) operand.kind = Kind::address;
  codec.require(operand.kind == Kind::address, "the source must be an address register");
  unsigned low = operand.index & 3U;
  unsigned high = operand.index >> 2U;
  codec.bits(26, 2, low);
  codec.bits(34, 1, high);
  operand.index = static_cast<std::uint8_t>(low | high << 2U);
}
void special_source(FieldCodec& codec, Instruction& instruction) {
  numbered(codec, instruction.source[0], Kind::special, third_low, 4);
}
void count_of_four_bits(FieldCodec& codec, Instruction& instruction) {
  plain_literal(codec, instruction.source[1], second_low, 4);
}
void address_literal(FieldCodec& codec, Instruction& instruction) {
  plain_literal(codec, instruction.source[1], first_low, 16);
}

void short_first(FieldCodec& codec, Instruction& instruction) {
  register_or_shared(codec, instruction.source[0], FieldSize::short_fields, operation_bytes(instruction));
}
void short_first_by_source_type(FieldCodec& codec, Instruction& instruction) {
  register_or_shared(codec, instruction.source[0], FieldSize::short_fields, source_bytes(instruction, 0));
}
void short_first_register(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.source[0], first_low, short_width, operation_bytes(instruction));
}
void short_second(FieldCodec& codec, Instruction& instruction) {
  short_register_or_constant(codec, instruction.source[1], operation_bytes(instruction));
}
void short_second_by_source_type(FieldCodec& codec, Instruction& instruction) {
  short_register_or_constant(codec, instruction.source[1], source_bytes(instruction, 1));
}
void short_second_register(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.source[1], second_low, short_width, operation_bytes(instruction));
}
void third_is_result(FieldCodec& codec, Instruction& instruction) {
  Operand& operand = instruction.source[2];
  const Operand& destination = instruction.destination[0];
  if (codec.decoding()) {
    operand.kind = Kind::gpr;
    operand.index = destination.index;
    operand.half = destination.half;
    return;
  }
  codec.require(operand.kind == Kind::gpr && operand.index == destination.index && operand.half == destination.half,
                "in this form the third source is the destination register");
}
void literal(FieldCodec& codec, Instruction& instruction) {
  const std::size_t position = instruction.opcode == Opcode::mov ? 0 : 1;
  literal_operand(codec, instruction.source[position], operation_bytes(instruction));
}
void literal_by_source_type(FieldCodec& codec, Instruction& instruction) {
  literal_operand(codec, instruction.source[1], source_bytes(instruction, 1));
}
void passed_literal(FieldCodec& codec, Instruction& instruction) {
  codec.require(instruction.source[0].kind == Kind::none, "this operation passes its only source");
  literal_operand(codec, instruction.source[1], word_bytes);
}

}  // namespace teslasim::fields
