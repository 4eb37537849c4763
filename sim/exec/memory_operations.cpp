// SPDX-License-Identifier: Apache-2.0
// Global and local memory: addresses and data of a warp's access, checks at issue, registers written on completion.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "sim/exec/execution_state.h"

namespace teslasim {

namespace {

constexpr std::uint32_t low_half = 0xffffU;
constexpr unsigned word_bytes = 4;
/// Local memory is seen by coalescing and caches in this part of the address space, which no buffer can have.
constexpr std::uint32_t local_window = 0xc0000000U;

template <typename Function>
void for_each_lane(LaneMask lanes, Function function) {
  for (; lanes != 0; lanes &= lanes - 1) function(static_cast<unsigned>(std::countr_zero(lanes)));
}

const char* verb_of(MemoryAccess::Kind kind) {
  switch (kind) {
    case MemoryAccess::Kind::load:
      return "load";
    case MemoryAccess::Kind::store:
      return "store";
    case MemoryAccess::Kind::atomic:
      return "atomic operation";
    case MemoryAccess::Kind::reduction:
      return "reduction";
  }
  return "access";
}

MemoryAccess::Kind kind_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::store_global:
    case Opcode::store_local:
      return MemoryAccess::Kind::store;
    case Opcode::atom:
      return MemoryAccess::Kind::atomic;
    case Opcode::red:
      return MemoryAccess::Kind::reduction;
    default:
      return MemoryAccess::Kind::load;
  }
}

void describe(const Instruction& instruction, LaneMask executed, MemoryAccess& access) {
  access.kind = kind_of(instruction.opcode);
  access.bytes = static_cast<std::uint8_t>(bytes_of(instruction.type));
  access.sign_extend = is_signed(instruction.type);
  const bool atomic = access.kind == MemoryAccess::Kind::atomic || access.kind == MemoryAccess::Kind::reduction;
  access.operation = atomic ? static_cast<std::uint8_t>(instruction.atomic().operation) : std::uint8_t{0};
  access.signed_compare = is_signed(instruction.type);
  access.lanes = executed;
}

unsigned words_of(const MemoryAccess& access) {
  return std::max(1U, access.bytes / word_bytes);
}

}  // namespace

MemoryAccess& ExecutionStream::State::acquire() {
  if (free_accesses_.empty()) {
    accesses_.push_back(std::make_unique<MemoryAccess>());
    free_accesses_.reserve(accesses_.size());
    return *accesses_.back();
  }
  MemoryAccess& access = *free_accesses_.back();
  free_accesses_.pop_back();
  access.texture = nullptr;
  access.registers = nullptr;
  return access;
}

/// What the access holds stays until it is acquired again: the functional model counts it after it has taken effect.
void ExecutionStream::State::release(MemoryAccess& access) {
  if (access.texture != nullptr) free_textures_.push_back(access.texture);
  free_accesses_.push_back(&access);
}

const std::uint32_t* ExecutionStream::State::register_row(const Warp& warp, unsigned index) const {
  return index < registers_ ? warp.rows + index * warp_size : table_.fixed_rows.front().data();
}

void ExecutionStream::State::take_data(Warp& warp, const Operand& operand, unsigned words, unsigned first,
                                       MemoryAccess& access) const {
  if (operand.kind != Operand::Kind::gpr) return;
  for (unsigned word = 0; word < words; ++word) {
    std::memcpy(access.data[first + word].data(), register_row(warp, operand.index + word), sizeof(LaneRow));
  }
  if (operand.half != Operand::Half::high) return;
  for (std::uint32_t& value : access.data[first]) value >>= 16U;
}

/// A load of whole registers into registers that exist.
std::uint32_t* ExecutionStream::State::target_rows(const Warp& warp, const MemoryAccess& access) const {
  const bool whole = access.destination_half == static_cast<std::uint8_t>(Operand::Half::full);
  if (access.kind != MemoryAccess::Kind::load || access.discard_result || !whole) return nullptr;
  return access.destination + words_of(access) <= registers_ ? warp.rows + access.destination * warp_size : nullptr;
}

void ExecutionStream::State::set_destination(const Operation& operation, MemoryAccess& access) const {
  const Operand& destination = operation.instruction->destination[0];
  access.destination = destination.index;
  access.destination_half = static_cast<std::uint8_t>(destination.half);
  access.discard_result = destination.kind != Operand::Kind::gpr;
}

void ExecutionStream::State::global(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  const Instruction& instruction = *operation.instruction;
  const bool stores = instruction.store_target.kind == Operand::Kind::global;
  if (stores && stores_nothing(operation)) {
    out.executed = 0;
    return;
  }
  const Operand& memory = stores ? instruction.store_target : instruction.source[0];
  MemoryAccess& access = acquire();
  describe(instruction, executed, access);
  access.space = MemoryAccess::Space::global;
  std::memcpy(access.address.data(), register_row(warp, memory.index), sizeof(LaneRow));
  check_global(warp, operation, access);
  find_rows(access);
  const unsigned words = words_of(access);
  if (stores) take_data(warp, instruction.source[0], words, 0, access);
  if (instruction.opcode == Opcode::atom) {
    take_data(warp, instruction.source[1], words, 0, access);
    take_data(warp, instruction.source[2], words, 2, access);
  }
  set_destination(operation, access);
  access.registers = target_rows(warp, access);
  finish_access(warp, access, out);
}

void ExecutionStream::State::finish_access(Warp& warp, MemoryAccess& access, WarpInst& out) {
  out.memory = &access;
  if (options_.memory_effect == MemoryEffect::at_partition) return;
  perform(access, access.lanes, *launch_.memory);
  complete(warp.slot, access);
  release(access);  // stays readable until the next access
}

void ExecutionStream::State::check_global(const Warp& warp, const Operation& operation, const MemoryAccess& access) {
  std::uint32_t lowest = ~0U;
  std::uint32_t highest = 0;
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint32_t keep = select_word(access.lanes, i);
    const std::uint32_t low = access.address[i] | ~keep;
    const std::uint32_t high = access.address[i] & keep;
    lowest = low < lowest ? low : lowest;
    highest = high > highest ? high : highest;
    bits |= high;
  }
  if ((bits & (access.bytes - 1U)) != 0) fail_global(warp, operation, access);
  const std::uint64_t span = std::uint64_t{highest} - lowest + access.bytes;
  const Buffer* const last = last_buffer_;
  if (last != nullptr && lowest >= last->address && lowest - last->address + span <= last->bytes) [[likely]]
    return;
  last_buffer_ = launch_.memory->find(lowest, span);
  if (last_buffer_ != nullptr) return;
  for_each_lane(access.lanes, [&](unsigned lane) {  // the warp may reach into several buffers
    if (launch_.memory->find(access.address[lane], access.bytes) == nullptr) fail_global(warp, operation, access);
  });
}

void ExecutionStream::State::fail_global(const Warp& warp, const Operation& operation, const MemoryAccess& access) {
  LaneMask misaligned = 0;
  LaneMask outside = 0;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const Address address = access.address[lane];
    if ((address & (access.bytes - 1U)) != 0) misaligned |= LaneMask{1} << lane;
    if (launch_.memory->find(address, access.bytes) == nullptr) outside |= LaneMask{1} << lane;
  });
  const LaneMask wrong = misaligned != 0 ? misaligned : outside;
  const Address address = access.address[static_cast<unsigned>(std::countr_zero(wrong))];
  throw_global_error({place(warp, operation, wrong), address, access.bytes, verb_of(access.kind), misaligned != 0});
}

void ExecutionStream::State::local(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  const Instruction& instruction = *operation.instruction;
  const bool stores = instruction.opcode == Opcode::store_local;
  const Operand& memory = stores ? instruction.store_target : instruction.source[0];
  if (stores && stores_nothing(operation)) {
    out.executed = 0;
    return post_increment(warp, memory, executed);
  }
  OnChipAccess where;
  const AddressSummary summary = fill_addresses(warp, memory, executed, where);
  where.bytes = static_cast<std::uint8_t>(bytes_of(instruction.type));
  check_on_chip(warp, operation, where, summary, {"local", launch_.kernel->local_bytes});
  MemoryAccess& access = acquire();
  describe(instruction, executed, access);
  access.space = MemoryAccess::Space::local;
  for (unsigned i = 0; i < warp_size; ++i) access.address[i] = where.address[where.uniform ? 0 : i];
  if (stores) take_data(warp, instruction.source[0], words_of(access), 0, access);
  perform_local(warp, access);
  set_destination(operation, access);
  // From here on the addresses are those that coalescing sees: word-interleaved over the lanes of the warp.
  const std::uint32_t warp_base =
      (options_.sm * options_.warp_slots + warp.slot) * local_words_ * static_cast<std::uint32_t>(sizeof(LaneRow));
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint32_t byte = access.address[i];
    const std::uint32_t row = byte / word_bytes * static_cast<std::uint32_t>(sizeof(LaneRow));
    const std::uint32_t in_row = i * std::max<std::uint32_t>(word_bytes, access.bytes) + byte % word_bytes;
    access.address[i] = local_window | ((warp_base + row + in_row) & ~local_window);
  }
  post_increment(warp, memory, executed);
  finish_access(warp, access, out);
}

/// Values of local memory are exchanged at issue: no other thread can tell. `address` holds offsets within the thread.
void ExecutionStream::State::perform_local(const Warp& warp, MemoryAccess& access) const {
  const unsigned words = words_of(access);
  const unsigned piece = std::min<unsigned>(access.bytes, word_bytes);
  for_each_lane(access.lanes, [&](unsigned lane) {
    const std::uint32_t offset = access.address[lane];
    std::byte* at = warp.local + offset / word_bytes * sizeof(LaneRow) + lane * word_bytes + offset % word_bytes;
    for (unsigned word = 0; word < words; ++word, at += sizeof(LaneRow)) {
      std::uint32_t& value = access.data[word][lane];
      if (access.kind == MemoryAccess::Kind::store) {
        std::memcpy(at, &value, piece);
        continue;
      }
      value = 0;
      std::memcpy(&value, at, piece);
      if (!access.sign_extend || piece == word_bytes) continue;
      const unsigned unused = 32 - 8 * piece;
      value = static_cast<std::uint32_t>(static_cast<std::int32_t>(value << unused) >> unused);
    }
  });
}

void ExecutionStream::State::complete(unsigned warp_slot, MemoryAccess& access) {
  const bool returns = access.kind == MemoryAccess::Kind::load || access.kind == MemoryAccess::Kind::atomic;
  if (!returns || access.discard_result || access.registers != nullptr) return;
  Warp& warp = warps_[warp_slot];
  if (access.space == MemoryAccess::Space::texture) return complete_texture(warp, access);
  const auto half = static_cast<Operand::Half>(access.destination_half);
  const unsigned shift = half == Operand::Half::high ? 16 : 0;
  const std::uint32_t changed = half == Operand::Half::full ? ~0U : low_half << shift;
  for (unsigned word = 0; word < words_of(access); ++word) {
    if (access.destination + word >= registers_) return;
    std::uint32_t* const row = aligned(warp.rows + (access.destination + word) * warp_size);
    const std::uint32_t* const data = aligned(access.data[word].data());
    for (unsigned i = 0; i < warp_size; ++i) {
      const std::uint32_t mask = changed & select_word(access.lanes, i);
      row[i] = (row[i] & ~mask) | (data[i] << shift & mask);
    }
  }
}

}  // namespace teslasim
