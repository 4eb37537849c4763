// SPDX-License-Identifier: Apache-2.0
// Fields of control flow, barriers, events and texture instructions.
#include "isa/encoding/fields.h"
#include "isa/encoding/operand_codec.h"

namespace teslasim::fields {
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

void texture_operation(FieldCodec& codec, TextureDetails& texture, TextureOperation operation) {
  if (codec.decoding()) texture.operation = operation;
  codec.require(texture.operation == operation, "another texture operation");
  codec.require(!texture.texel_fetch || operation == TextureOperation::sample,
                "only plain texture reads take integer coordinates");
}

void cube_operation(FieldCodec& codec, TextureDetails& texture, TextureOperation operation) {
  texture_operation(codec, texture, operation);
  codec.flag(cube_bit, texture.cube);
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

void texture_numbers(FieldCodec& codec, TextureDetails& texture) {
  codec.bits(9, 8, texture.texture);
  codec.bits(17, 5, texture.sampler);
  codec.require(codec.decoding() || (texture.coordinates >= 1 && texture.coordinates <= 4),
                "tex takes one to four argument registers");
  if (codec.failed()) return;
  unsigned more = texture.coordinates - 1U;
  codec.bits(22, 2, more);
  texture.coordinates = static_cast<std::uint8_t>(more + 1);
}

}  // namespace

void branch_target(FieldCodec& codec, Instruction& instruction) {
  std::uint32_t& target = instruction.branch().target;
  constexpr unsigned word_shift = 2;
  codec.require(target % 4 == 0, "a branch target is a multiple of 4");
  unsigned words = target >> word_shift;
  split_bits(codec, words, 11, 16, 46, 6);
  target = words << word_shift;
}

void call_limit(FieldCodec& codec, Instruction& instruction) {
  codec.flag(38, instruction.branch().limited);
}

void barrier(FieldCodec& codec, Instruction& instruction) {
  constexpr unsigned all_threads_bit = 46;
  constexpr std::uint16_t all_threads = 0xfff;
  BarrierDetails& details = instruction.barrier();
  codec.bits(21, 4, details.number);
  codec.flag(25, details.arrive);
  codec.flag(26, details.wait);
  codec.bits(9, 12, details.threads);
  // The other spelling of "all threads of the block" is harmless beside this one and contradicts every other mask.
  if (codec.decoding() && codec.peek(all_threads_bit, 1) != 0 && details.threads != all_threads)
    codec.fail("two thread counts");
}

void event_number(FieldCodec& codec, Instruction& instruction) {
  codec.bits(10, 4, instruction.event().number);
}

void texture_registers(FieldCodec& codec, Instruction& instruction) {
  shared_register(codec, instruction, 7);
  texture_numbers(codec, instruction.texture());
}

void texture_mask(FieldCodec& codec, Instruction& instruction) {
  unsigned mask = instruction.texture().result_mask;
  split_bits(codec, mask, 25, 2, 46, 2);
  instruction.texture().result_mask = static_cast<std::uint8_t>(mask);
}

void texture_sample(FieldCodec& codec, Instruction& instruction) {
  TextureDetails& texture = instruction.texture();
  texture_operation(codec, texture, TextureOperation::sample);
  codec.flag(24, texture.texel_fetch);
  if (!texture.texel_fetch) codec.flag(cube_bit, texture.cube);
  codec.require(!texture.texel_fetch || !texture.cube, "cube maps have no integer coordinates");
}
void texture_bias(FieldCodec& codec, Instruction& instruction) {
  cube_operation(codec, instruction.texture(), TextureOperation::bias);
}
void texture_level(FieldCodec& codec, Instruction& instruction) {
  cube_operation(codec, instruction.texture(), TextureOperation::level);
}
void texture_size(FieldCodec& codec, Instruction& instruction) {
  texture_operation(codec, instruction.texture(), TextureOperation::size);
}

void texel_offsets(FieldCodec& codec, Instruction& instruction) {
  TextureDetails& texture = instruction.texture();
  unsigned offsets = texture.texel_offsets;
  unsigned x = offsets & 15U;
  unsigned y = (offsets >> 4U) & 15U;
  unsigned z = (offsets >> 8U) & 15U;
  codec.require(offsets >> 12U == 0, "there are three texel offsets");
  codec.bits(56, 4, x);
  codec.bits(52, 4, y);
  codec.bits(48, 4, z);
  texture.texel_offsets = static_cast<std::uint16_t>(x | y << 4U | z << 8U);
}

void texture_flags(FieldCodec& codec, Instruction& instruction) {
  TextureDetails& texture = instruction.texture();
  codec.flag(34, texture.live);
  codec.flag(35, texture.derivative);
}

void short_texture(FieldCodec& codec, Instruction& instruction) {
  TextureDetails& texture = instruction.texture();
  texture_operation(codec, texture, TextureOperation::sample);
  shared_register(codec, instruction, 6);
  texture_numbers(codec, texture);
  codec.flag(24, texture.texel_fetch);
  codec.flag(8, texture.live);
  if (codec.decoding()) texture.result_mask = all_components;
  codec.require(
      texture.result_mask == all_components && !texture.cube && !texture.derivative && texture.texel_offsets == 0,
      "the short form of tex is a plain read of all four components");
}

}  // namespace teslasim::fields
