// SPDX-License-Identifier: Apache-2.0
// Fields of loads, stores and atomic operations.
#include <algorithm>
#include <array>

#include "isa/encoding/fields.h"
#include "isa/encoding/operand_codec.h"

namespace teslasim::fields {
namespace {

using Kind = Operand::Kind;

constexpr unsigned word_bytes = 4;
constexpr unsigned memory_type_low = 53;
constexpr unsigned memory_type_width = 3;
constexpr std::array memory_types{ValueType::u8,  ValueType::s8,   ValueType::u16, ValueType::s16,
                                  ValueType::b64, ValueType::b128, ValueType::b32};
constexpr std::uint8_t wide_atomics_sm = 12;

void memory_kind(FieldCodec& codec, Operand& operand, Kind kind) {
  if (codec.decoding()) operand.kind = kind;
  codec.require(operand.kind == kind, "the memory operand is of the wrong space");
}

void register_size(FieldCodec& codec, Instruction& instruction, unsigned bit) {
  bool is_word = bytes_of(instruction.type) == word_bytes;
  codec.flag(bit, is_word);
  if (codec.decoding()) instruction.type = is_word ? ValueType::b32 : ValueType::b16;
}

void shared_source(FieldCodec& codec, Instruction& instruction) {
  constexpr unsigned access_low = 46;
  Operand& operand = instruction.source[0];
  memory_kind(codec, operand, Kind::shared);
  address_field(codec, operand, FieldSize::long_fields);
  access_type(codec, operand, access_low);
  wide_offset(codec, operand, bytes_of(operand.type));
}

void global_operand(FieldCodec& codec, Operand& operand, unsigned segment_low) {
  memory_kind(codec, operand, Kind::global);
  codec.bits(segment_low, 4, operand.bank);
  codec.bits(9, 7, operand.index);
}

void local_operand(FieldCodec& codec, Instruction& instruction, Operand& operand) {
  memory_kind(codec, operand, Kind::local);
  operand.type = instruction.type;
  address_field(codec, operand, FieldSize::long_fields);
  wide_offset(codec, operand, 1);
}

/// Code of the type field of atomics: 4 is 64 bits wide, 6 unsigned, 7 signed.
void atomic_type(FieldCodec& codec, Instruction& instruction) {
  constexpr unsigned wide_code = 4;
  constexpr unsigned unsigned_code = 6;
  constexpr unsigned signed_code = 7;
  const bool is_wide = bytes_of(instruction.type) == 2 * word_bytes;
  unsigned code = is_wide ? wide_code : is_signed(instruction.type) ? signed_code : unsigned_code;
  codec.bits(memory_type_low, memory_type_width, code);
  if (!codec.decoding()) return;
  codec.require(code == wide_code || code >= unsigned_code, "no such type of atomic operation");
  instruction.type = code == wide_code ? ValueType::u64 : code == signed_code ? ValueType::s32 : ValueType::u32;
}

void atomic_code(FieldCodec& codec, Instruction& instruction) {
  AtomicOperation& operation = instruction.atomic().operation;
  constexpr unsigned low = 34;
  codec.bits(low, 4, operation);
  constexpr std::array known{AtomicOperation::add,      AtomicOperation::exch,      AtomicOperation::cas,
                             AtomicOperation::inc,      AtomicOperation::dec,       AtomicOperation::max,
                             AtomicOperation::min,      AtomicOperation::logic_and, AtomicOperation::logic_or,
                             AtomicOperation::logic_xor};
  codec.require(std::find(known.begin(), known.end(), operation) != known.end(), "no such atomic operation");
}

}  // namespace

void constant_load(FieldCodec& codec, Instruction& instruction) {
  Operand& operand = instruction.source[0];
  register_size(codec, instruction, 58);
  memory_kind(codec, operand, Kind::constant);
  address_field(codec, operand, FieldSize::long_fields);
  access_type(codec, operand, 46);
  codec.bits(54, 4, operand.bank);
  wide_offset(codec, operand, bytes_of(operand.type));
}

void shared_load(FieldCodec& codec, Instruction& instruction) {
  register_size(codec, instruction, 58);
  shared_source(codec, instruction);
  codec.require(!instruction.lock, "only 32-bit loads can lock");
  if (bytes_of(instruction.source[0].type) == word_bytes) codec.constant(55, 1, 0);
}

void shared_locked_load(FieldCodec& codec, Instruction& instruction) {
  register_size(codec, instruction, 58);
  shared_source(codec, instruction);
  if (codec.decoding()) instruction.lock = true;
  codec.require(instruction.lock && bytes_of(instruction.source[0].type) == word_bytes, "this load does not lock");
}

void shared_store(FieldCodec& codec, Instruction& instruction) {
  constexpr std::uint8_t lock_sm = 12;
  constexpr unsigned byte_bit = 54;
  constexpr unsigned word_bit = 58;
  constexpr unsigned unlock_bit = 55;
  constexpr unsigned data_low = 46;
  register_size(codec, instruction, 53);
  Operand& target = instruction.store_target;
  memory_kind(codec, target, Kind::shared);
  bool is_byte = bytes_of(target.type) == 1;
  codec.flag(byte_bit, is_byte);
  bool is_word = bytes_of(target.type) == word_bytes;
  if (!is_byte) codec.flag(word_bit, is_word);
  if (codec.decoding()) target.type = is_byte ? ValueType::u8 : is_word ? ValueType::b32 : ValueType::u16;
  if (bytes_of(target.type) == word_bytes && (codec.sm() >= lock_sm || instruction.lock))
    codec.flag(unlock_bit, instruction.lock);
  codec.require(!instruction.lock || bytes_of(target.type) == word_bytes, "only 32-bit stores can unlock");
  codec.require(!instruction.lock || codec.sm() >= lock_sm, "unlocking stores exist from sm_12 on");
  address_field(codec, target, FieldSize::long_fields);
  wide_offset(codec, target, bytes_of(target.type));
  register_operand(codec, instruction.source[0], data_low, 7, bytes_of(instruction.type));
}

void memory_type(FieldCodec& codec, Instruction& instruction) {
  auto code = static_cast<std::size_t>(std::find(memory_types.begin(), memory_types.end(), instruction.type) -
                                       memory_types.begin());
  codec.bits(memory_type_low, memory_type_width, code);
  if (code >= memory_types.size()) {
    codec.fail("no such size of a memory access");
    return;
  }
  instruction.type = memory_types[code];
}

void local_source(FieldCodec& codec, Instruction& instruction) {
  local_operand(codec, instruction, instruction.source[0]);
}
void local_target(FieldCodec& codec, Instruction& instruction) {
  local_operand(codec, instruction, instruction.store_target);
}
void global_source(FieldCodec& codec, Instruction& instruction) {
  instruction.source[0].type = instruction.type;
  global_operand(codec, instruction.source[0], 16);
}
void global_target(FieldCodec& codec, Instruction& instruction) {
  instruction.store_target.type = instruction.type;
  global_operand(codec, instruction.store_target, 16);
}
void stored_data(FieldCodec& codec, Instruction& instruction) {
  register_operand(codec, instruction.source[0], 2, 7, std::max(word_bytes, bytes_of(instruction.type)));
}

void red_operation(FieldCodec& codec, Instruction& instruction) {
  atomic_code(codec, instruction);
  const AtomicOperation operation = instruction.atomic().operation;
  codec.require(operation != AtomicOperation::exch && operation != AtomicOperation::cas,
                "an exchange without result means nothing");
  atomic_type(codec, instruction);
  const bool is_wide = instruction.type == ValueType::u64;
  codec.require(!is_wide || operation == AtomicOperation::add, "64-bit red can only add");
  codec.require(!is_wide || codec.sm() >= wide_atomics_sm, "64-bit atomic operations exist from sm_12 on");
}

void atom_operation(FieldCodec& codec, Instruction& instruction) {
  atomic_code(codec, instruction);
  const AtomicOperation operation = instruction.atomic().operation;
  atomic_type(codec, instruction);
  const bool is_wide = instruction.type == ValueType::u64;
  const bool wide_exists =
      operation == AtomicOperation::add || operation == AtomicOperation::exch || operation == AtomicOperation::cas;
  codec.require(!is_wide || wide_exists, "64-bit atomic operations are add, exch and cas");
  codec.require(!is_wide || codec.sm() >= wide_atomics_sm, "64-bit atomic operations exist from sm_12 on");
}

void atom_memory(FieldCodec& codec, Instruction& instruction) {
  instruction.source[0].type = instruction.type;
  global_operand(codec, instruction.source[0], 23);
}

void atom_operands(FieldCodec& codec, Instruction& instruction) {
  const unsigned bytes = bytes_of(instruction.type);
  register_operand(codec, instruction.destination[0], 2, 7, bytes);
  register_operand(codec, instruction.source[1], 16, 7, bytes);
  if (instruction.atomic().operation == AtomicOperation::cas)
    register_operand(codec, instruction.source[2], 46, 7, bytes);
}

}  // namespace teslasim::fields
