// SPDX-License-Identifier: Apache-2.0
// Fields of control flow, barriers, events and texture instructions.
#include "isa/encoding/fields.h"
#include "isa/encoding/operand_codec.h"

namespace teslasim::field {
namespace {

constexpr unsigned cube_bit = 27;
constexpr std::uint8_t all_components = 15;

/// Two separate bit ranges that form one number, low part first.
void split_bits(FieldCodec& codec, unsigned& value, unsigned low, unsigned low_width, unsigned high,
                unsigned high_width) {
  if (!codec.decoding() && value >> (low_width + high_width) != 0) {
    codec.fail("a number is too large for its field");
    return;
  }
  unsigned low_part = value & ((1U << low_width) - 1);
  unsigned high_part = value >> low_width;
  codec.bits(low, low_width, low_part);
  codec.bits(high, high_width, high_part);
  value = low_part | high_part << low_width;
}

void operation_code(FieldCodec& codec, Instruction& instruction, std::uint8_t code) {
  if (codec.decoding()) instruction.texture_operation = code;
  codec.require(instruction.texture_operation == code, "another texture operation");
  codec.require(!instruction.texel_fetch || code == 0, "only plain texture reads take integer coordinates");
}

void cube_operation(FieldCodec& codec, Instruction& instruction, std::uint8_t code) {
  operation_code(codec, instruction, code);
  codec.flag(cube_bit, instruction.texture_cube);
}

/// Arguments and result share their first register.
void shared_register(FieldCodec& codec, Instruction& instruction, unsigned width) {
  constexpr unsigned low = 2;
  constexpr unsigned word_bytes = 4;
  register_operand(codec, instruction.destination[0], low, width, word_bytes);
  if (codec.decoding()) instruction.source[0] = instruction.destination[0];
  codec.require(instruction.source[0].kind == Operand::Kind::gpr &&
                    instruction.source[0].index == instruction.destination[0].index,
                "the arguments of tex start at its first result register");
}

void texture_numbers(FieldCodec& codec, Instruction& instruction) {
  codec.bits(9, 8, instruction.texture);
  codec.bits(17, 5, instruction.sampler);
  codec.require(codec.decoding() || (instruction.coordinates >= 1 && instruction.coordinates <= 4),
                "tex takes one to four argument registers");
  if (codec.failed()) return;
  unsigned more = instruction.coordinates - 1U;
  codec.bits(22, 2, more);
  instruction.coordinates = static_cast<std::uint8_t>(more + 1);
}

}  // namespace

void branch_target(FieldCodec& codec, Instruction& instruction) {
  constexpr unsigned word_shift = 2;
  codec.require(instruction.target % 4 == 0, "a branch target is a multiple of 4");
  unsigned words = instruction.target >> word_shift;
  split_bits(codec, words, 11, 16, 46, 6);
  instruction.target = words << word_shift;
}

void call_limit(FieldCodec& codec, Instruction& instruction) {
  codec.bits(38, 1, instruction.modifier);
}

void barrier(FieldCodec& codec, Instruction& instruction) {
  constexpr unsigned all_threads_bit = 46;
  constexpr std::uint16_t all_threads = 0xfff;
  codec.bits(21, 4, instruction.barrier);
  codec.flag(25, instruction.barrier_arrive);
  codec.flag(26, instruction.barrier_wait);
  codec.bits(9, 12, instruction.barrier_threads);
  // The other spelling of "all threads of the block" is harmless beside this one and contradicts every other mask.
  if (codec.decoding() && codec.peek(all_threads_bit, 1) != 0 && instruction.barrier_threads != all_threads)
    codec.fail("two thread counts");
}

void event_number(FieldCodec& codec, Instruction& instruction) {
  codec.bits(10, 4, instruction.modifier);
}

void texture_registers(FieldCodec& codec, Instruction& instruction) {
  shared_register(codec, instruction, 7);
  texture_numbers(codec, instruction);
}

void texture_mask(FieldCodec& codec, Instruction& instruction) {
  unsigned mask = instruction.result_mask;
  split_bits(codec, mask, 25, 2, 46, 2);
  instruction.result_mask = static_cast<std::uint8_t>(mask);
}

void texture_sample(FieldCodec& codec, Instruction& instruction) {
  operation_code(codec, instruction, 0);
  codec.flag(24, instruction.texel_fetch);
  if (!instruction.texel_fetch) codec.flag(cube_bit, instruction.texture_cube);
  codec.require(!instruction.texel_fetch || !instruction.texture_cube, "cube maps have no integer coordinates");
}
void texture_bias(FieldCodec& codec, Instruction& instruction) {
  cube_operation(codec, instruction, 1);
}
void texture_level(FieldCodec& codec, Instruction& instruction) {
  cube_operation(codec, instruction, 2);
}
void texture_size(FieldCodec& codec, Instruction& instruction) {
  operation_code(codec, instruction, 3);
}

void texel_offsets(FieldCodec& codec, Instruction& instruction) {
  unsigned offsets = instruction.texel_offsets;
  unsigned x = offsets & 15U;
  unsigned y = (offsets >> 4U) & 15U;
  unsigned z = (offsets >> 8U) & 15U;
  codec.require(offsets >> 12U == 0, "there are three texel offsets");
  codec.bits(56, 4, x);
  codec.bits(52, 4, y);
  codec.bits(48, 4, z);
  instruction.texel_offsets = static_cast<std::uint16_t>(x | y << 4U | z << 8U);
}

void texture_flags(FieldCodec& codec, Instruction& instruction) {
  codec.flag(34, instruction.texture_live);
  codec.flag(35, instruction.texture_derivative);
}

void short_texture(FieldCodec& codec, Instruction& instruction) {
  operation_code(codec, instruction, 0);
  shared_register(codec, instruction, 6);
  texture_numbers(codec, instruction);
  codec.flag(24, instruction.texel_fetch);
  codec.flag(8, instruction.texture_live);
  if (codec.decoding()) instruction.result_mask = all_components;
  codec.require(instruction.result_mask == all_components && !instruction.texture_cube &&
                    !instruction.texture_derivative && instruction.texel_offsets == 0,
                "the short form of tex is a plain read of all four components");
}

}  // namespace teslasim::field
