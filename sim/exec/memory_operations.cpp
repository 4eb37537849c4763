// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/memory_operations.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/base/each_lane.h"

namespace teslasim {

namespace {

constexpr unsigned word_bytes = 4;
/// Local memory is seen by coalescing and caches in this part of the address space, which no buffer can have.
constexpr std::uint32_t local_window = 0xc0000000U;

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

/// `address` holds offsets within the thread.
void perform_local(const ResidentWarp& warp, MemoryAccess& access) {
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

}  // namespace

void MemoryOperations::take_data(const ResidentWarp& warp, const Operand& operand, unsigned words, unsigned first,
                                 MemoryAccess& access) const {
  if (operand.kind != Operand::Kind::gpr) return;
  for (unsigned word = 0; word < words; ++word) {
    std::memcpy(access.data[first + word].data(), register_row(context_, warp, operand.index + word), sizeof(LaneRow));
  }
  if (operand.half != Operand::Half::high) return;
  for (std::uint32_t& value : access.data[first]) value >>= 16U;
}

/// A load of whole registers into registers that exist.
std::uint32_t* MemoryOperations::target_rows(const ResidentWarp& warp, const MemoryAccess& access) const {
  const bool whole = access.destination_half == static_cast<std::uint8_t>(Operand::Half::full);
  if (access.kind != MemoryAccess::Kind::load || access.discard_result || !whole) return nullptr;
  return access.destination + words_of(access) <= context_.registers ? warp.rows + access.destination * warp_size
                                                                     : nullptr;
}

void MemoryOperations::global(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  const Instruction& instruction = *operation.instruction;
  const bool stores = instruction.store_target.kind == Operand::Kind::global;
  if (stores && stores_nothing(context_, operation)) {
    out.executed = 0;
    return;
  }
  const Operand& memory = stores ? instruction.store_target : instruction.source[0];
  MemoryAccess& access = pool_.acquire();
  describe(instruction, executed, access);
  access.space = MemoryAccess::Space::global;
  std::memcpy(access.address.data(), register_row(context_, warp, memory.index), sizeof(LaneRow));
  find_rows(access);
  if (!rows_in_last_buffer(instruction.index, access)) check_global(warp, operation, access);
  const unsigned words = words_of(access);
  if (stores) take_data(warp, instruction.source[0], words, 0, access);
  if (instruction.opcode == Opcode::atom) {
    take_data(warp, instruction.source[1], words, 0, access);
    take_data(warp, instruction.source[2], words, 2, access);
  }
  AccessPool::set_destination(operation, access);
  access.registers = target_rows(warp, access);
  pool_.send(warp, access, out);
}

/// The common case: rows of aligned words in the buffer that this instruction used last. False says nothing.
bool MemoryOperations::rows_in_last_buffer(std::size_t instruction, const MemoryAccess& access) const {
  const Buffer* const last = last_buffers_[instruction];
  if (last == nullptr || !access.side_by_side[0] || !access.side_by_side[1]) return false;
  const auto [first, second] = access.first_address;
  constexpr std::uint64_t row_bytes = warp_size / 2 * word_bytes;
  const std::uint64_t end = std::uint64_t{std::max(first, second)} + row_bytes;
  return ((first | second) & (word_bytes - 1)) == 0 && std::min(first, second) >= last->address &&
         end <= last->address + last->bytes;
}

void MemoryOperations::check_global(const ResidentWarp& warp, const Operation& operation, const MemoryAccess& access) {
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
  const Buffer*& last = last_buffers_[operation.instruction->index];
  if (last != nullptr && lowest >= last->address && lowest - last->address + span <= last->bytes) [[likely]]
    return;
  last = context_.launch.memory->find(lowest, span);
  if (last != nullptr) return;
  for_each_lane(access.lanes, [&](unsigned lane) {  // the warp may reach into several buffers
    if (context_.launch.memory->find(access.address[lane], access.bytes) == nullptr)
      fail_global(warp, operation, access);
  });
}

void MemoryOperations::fail_global(const ResidentWarp& warp, const Operation& operation, const MemoryAccess& access) {
  LaneMask misaligned = 0;
  LaneMask outside = 0;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const Address address = access.address[lane];
    if ((address & (access.bytes - 1U)) != 0) misaligned |= LaneMask{1} << lane;
    if (context_.launch.memory->find(address, access.bytes) == nullptr) outside |= LaneMask{1} << lane;
  });
  const LaneMask wrong = misaligned != 0 ? misaligned : outside;
  const Address address = access.address[static_cast<unsigned>(std::countr_zero(wrong))];
  throw_global_error(
      {fault_place(context_, warp, operation, wrong), address, access.bytes, verb_of(access.kind), misaligned != 0});
}

/// From here on the addresses are those that coalescing sees: word-interleaved over the lanes of the warp.
void MemoryOperations::interleave(const ResidentWarp& warp, MemoryAccess& access) const {
  const std::uint32_t warp_base = (context_.options.sm * context_.options.warp_slots + warp.slot) *
                                  context_.local_words * static_cast<std::uint32_t>(sizeof(LaneRow));
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint32_t byte = access.address[i];
    const std::uint32_t row = byte / word_bytes * static_cast<std::uint32_t>(sizeof(LaneRow));
    const std::uint32_t in_row = i * std::max<std::uint32_t>(word_bytes, access.bytes) + byte % word_bytes;
    access.address[i] = local_window | ((warp_base + row + in_row) & ~local_window);
  }
}

void MemoryOperations::local(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  const Instruction& instruction = *operation.instruction;
  const bool stores = instruction.opcode == Opcode::store_local;
  const Operand& memory = stores ? instruction.store_target : instruction.source[0];
  if (stores && stores_nothing(context_, operation)) {
    out.executed = 0;
    return on_chip_.post_increment(warp, memory, executed);
  }
  OnChipAccess where;
  const OnChipMemory::AddressSummary summary = on_chip_.fill_addresses(warp, memory, executed, where);
  where.bytes = static_cast<std::uint8_t>(bytes_of(instruction.type));
  on_chip_.check(warp, operation, where, summary, {"local", context_.launch.kernel->local_bytes});
  MemoryAccess& access = pool_.acquire();
  describe(instruction, executed, access);
  access.space = MemoryAccess::Space::local;
  for (unsigned i = 0; i < warp_size; ++i) access.address[i] = where.address[where.uniform ? 0 : i];
  if (stores) take_data(warp, instruction.source[0], words_of(access), 0, access);
  perform_local(warp, access);
  AccessPool::set_destination(operation, access);
  interleave(warp, access);
  on_chip_.post_increment(warp, memory, executed);
  pool_.send(warp, access, out);
}

}  // namespace teslasim
