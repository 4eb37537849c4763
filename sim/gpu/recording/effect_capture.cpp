// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/recording/effect_capture.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/names.h"
#include "sim/base/each_lane.h"

namespace teslasim {
namespace {

using Row = InstructionEffects::Row;
constexpr unsigned word_bytes = 4;

Row row_at(const std::uint32_t* values) {
  Row row;
  std::copy_n(values, warp_size, row.begin());
  return row;
}

/// The words are read back from memory, so that of lanes with one address each shows what is there.
InstructionEffects::Stored stored_in_shared(const OnChipAccess& access, const WarpValues& values) {
  InstructionEffects::Stored stored;
  stored.bytes = access.bytes;
  stored.words.emplace_back();
  for_each_lane(access.lanes, [&](unsigned lane) {
    stored.address[lane] = access.address[access.uniform ? 0 : lane];
    std::memcpy(&stored.words[0][lane], values.shared + stored.address[lane], access.bytes);
  });
  return stored;
}

std::uint32_t mask_of(unsigned bytes) {
  return bytes >= word_bytes ? ~0U : (1U << 8 * bytes) - 1;
}

InstructionEffects::Stored stored_in_device_memory(const Instruction& instruction, const MemoryAccess& access) {
  InstructionEffects::Stored stored;
  const bool is_store = access.kind == MemoryAccess::Kind::store;
  stored.space = access.space == MemoryAccess::Space::local ? LaneAccess::Space::local : LaneAccess::Space::global;
  if (!is_store) stored.operation = atomic_name(instruction.atomic().operation);
  stored.bytes = access.bytes;
  stored.address = row_at(access.address.data());
  const unsigned words = std::max(1U, access.bytes / word_bytes);
  const auto take = [&](unsigned first, std::vector<Row>& to) {
    for (unsigned word = 0; word < words; ++word) {
      to.push_back(access.data[first + word]);
      for (std::uint32_t& value : to.back()) value &= mask_of(access.bytes);
    }
  };
  take(0, stored.words);
  const bool swaps = !is_store && instruction.atomic().operation == AtomicOperation::cas;
  if (swaps) take(2, stored.exchanged);
  return stored;
}

template <typename Each>
void for_each_bit(std::uint64_t bits, Each each) {
  for (; bits != 0; bits &= bits - 1) each(static_cast<unsigned>(std::countr_zero(bits)));
}

}  // namespace

void take_registers(const Instruction& instruction, const WarpValues& values, InstructionEffects& effects) {
  constexpr unsigned flag_registers = 4, word_bits = 64;
  effects.awaited = false;
  for (unsigned word = 0; word < 2; ++word) {
    for_each_bit(instruction.writes.words[word], [&](unsigned bit) {
      const unsigned index = word * word_bits + bit;
      if (index >= values.registers) return;
      effects.registers.push_back({false, static_cast<std::uint8_t>(index), row_at(values.general(index))});
    });
  }
  for_each_bit(instruction.writes.words[2], [&](unsigned bit) {
    if (bit >= flag_registers) {
      const unsigned index = bit - flag_registers;
      return effects.registers.push_back({true, static_cast<std::uint8_t>(index), row_at(values.address(index))});
    }
    const FlagPlanes& flags = values.flags[bit];
    effects.flags.push_back({static_cast<std::uint8_t>(bit), flags.zero, flags.sign, flags.carry, flags.overflow});
  });
}

InstructionEffects effects_of(const WarpInst& record, const WarpValues& values) {
  InstructionEffects effects;
  effects.divergent = record.divergent;
  effects.finished = record.finished;
  effects.known = values.known();
  if (record.executed == 0 || !values.known()) return effects;
  const Instruction& instruction = *record.instruction;
  const MemoryAccess* const memory = record.memory;
  if (instruction.opcode == Opcode::store_shared) effects.stored = stored_in_shared(record.shared, values);
  if (memory != nullptr && memory->kind != MemoryAccess::Kind::load)
    effects.stored = stored_in_device_memory(instruction, *memory);
  const bool loads =
      memory != nullptr && (memory->kind == MemoryAccess::Kind::load || memory->kind == MemoryAccess::Kind::atomic);
  effects.awaited = loads && !instruction.writes.empty();
  if (!effects.awaited) take_registers(instruction, values, effects);
  return effects;
}

}  // namespace teslasim
