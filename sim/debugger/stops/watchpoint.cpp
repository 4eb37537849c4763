// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/stops/watchpoint.h"

#include <array>
#include <bit>
#include <cstring>

#include "isa/names.h"
#include "memory/image/device_memory.h"
#include "sim/base/each_lane.h"
#include "sim/exec/warp_inst.h"

namespace teslasim {
namespace {

constexpr std::uint32_t word_bytes = 4;

/// Whether `bytes` from `address` on have a part in the word at `word`.
bool overlaps(Address address, std::uint32_t bytes, Address word) {
  return std::uint64_t{address} < std::uint64_t{word} + word_bytes &&
         std::uint64_t{word} < std::uint64_t{address} + bytes;
}

template <typename Addresses>
LaneMask lanes_at(LaneMask lanes, const Addresses& address, std::uint32_t bytes, Address word) {
  LaneMask found = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    if (overlaps(address(lane), bytes, word)) found |= LaneMask{1} << lane;
  });
  return found;
}

/// Puts the bytes of a lane's data that belong to the word into it.
void put(const MemoryAccess& access, unsigned lane, Address word, std::uint32_t& value) {
  std::array<std::uint8_t, word_bytes> bytes{};
  std::memcpy(bytes.data(), &value, word_bytes);
  for (std::uint32_t i = 0; i < access.bytes; ++i) {
    const std::uint64_t place = std::uint64_t{access.address[lane]} + i;
    if (place < word || place >= std::uint64_t{word} + word_bytes) continue;
    constexpr unsigned byte_bits = 8;
    const std::uint32_t data = access.data[i / word_bytes][lane];
    bytes[place - word] = static_cast<std::uint8_t>(data >> byte_bits * (i % word_bytes));
  }
  std::memcpy(&value, bytes.data(), word_bytes);
}

std::uint32_t word_at(const void* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, word_bytes);
  return word;
}

}  // namespace

std::optional<WordWrite> Watchpoint::write_of(const WarpInst& record, const DeviceMemory& memory) const {
  const MemoryAccess* const access = record.memory;
  if (shared_ || access == nullptr || access->kind == MemoryAccess::Kind::load) return std::nullopt;
  if (access->space != MemoryAccess::Space::global) return std::nullopt;
  WordWrite write;
  write.lanes = lanes_at(
      access->lanes, [access](unsigned lane) { return access->address[lane]; }, access->bytes, address_);
  if (write.lanes == 0) return std::nullopt;
  write.old_value = write.new_value = word_at(memory.at(address_));
  if (access->kind == MemoryAccess::Kind::store) {
    for_each_lane(write.lanes, [&](unsigned lane) { put(*access, lane, address_, write.new_value); });
  } else {
    write.operation = atomic_name(record.instruction->atomic().operation);
    write.new_value = access->data[0][static_cast<unsigned>(std::bit_width(write.lanes)) - 1];
  }
  return write;
}

std::optional<WordWrite> Watchpoint::write_of(const WarpInst& record, std::uint32_t before,
                                              const std::uint8_t* now) const {
  if (!shared_ || record.instruction->opcode != Opcode::store_shared) return std::nullopt;
  const OnChipAccess& access = record.shared;
  WordWrite write;
  write.lanes = lanes_at(
      access.lanes, [&access](unsigned lane) { return access.address[access.uniform ? 0 : lane]; }, access.bytes,
      address_);
  if (write.lanes == 0) return std::nullopt;
  write.old_value = before;
  write.new_value = word_at(now);
  return write;
}

}  // namespace teslasim
