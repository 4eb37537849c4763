// SPDX-License-Identifier: Apache-2.0
#include "memory/image/memory_access.h"

#include <bit>
#include <cstddef>
#include <cstring>

#include "memory/image/device_memory.h"

namespace teslasim {

static_assert(std::endian::native == std::endian::little, "device memory is little endian, as the host must be");

namespace {

/// Operation codes as in the instruction word (see AtomicOperation in isa/instruction.h, which this layer cannot see).
enum Operation : std::uint8_t {
  op_add = 0,
  op_exch = 1,
  op_cas = 2,
  op_inc = 4,
  op_dec = 5,
  op_max = 6,
  op_min = 7,
  op_and = 10,
  op_or = 11,
  op_xor = 12
};

constexpr unsigned word_bytes = 4;

template <typename Function>
void for_each_lane(LaneMask lanes, Function function) {
  for (; lanes != 0; lanes &= lanes - 1) function(static_cast<unsigned>(std::countr_zero(lanes)));
}

template <unsigned count>
bool consecutive(const std::uint32_t* address) {
  std::uint32_t difference = 0;
  for (unsigned lane = 0; lane < count; ++lane) difference |= address[lane] ^ (address[0] + lane * word_bytes);
  return difference == 0;
}

/// The number of lanes when they are a whole warp or as many as half of one, side by side, and take words side by side;
/// else 0. `first` is the first of them.
unsigned words_in_a_row(const MemoryAccess& access, LaneMask lanes, unsigned& first) {
  constexpr unsigned half = warp_size / 2;
  constexpr LaneMask half_lanes = all_lanes >> half;
  if (access.bytes != word_bytes || lanes == 0) return 0;
  first = static_cast<unsigned>(std::countr_zero(lanes));
  const std::uint32_t* const address = access.address.data() + first;
  if (lanes >> first == half_lanes) return consecutive<half>(address) ? half : 0;
  return lanes == all_lanes && consecutive<warp_size>(address) ? warp_size : 0;
}

void load_narrow(MemoryAccess& access, LaneMask lanes, const DeviceMemory& memory) {
  for_each_lane(lanes, [&](unsigned lane) {
    const std::byte* const at = memory.at(access.address[lane]);
    std::uint32_t value = 0;
    std::memcpy(&value, at, access.bytes);
    if (access.sign_extend) {
      const unsigned unused = 32U - 8U * access.bytes;
      value = static_cast<std::uint32_t>(static_cast<std::int32_t>(value << unused) >> unused);
    }
    access.data[0][lane] = value;
  });
}

void load(MemoryAccess& access, LaneMask lanes, const DeviceMemory& memory) {
  if (access.bytes < word_bytes) return load_narrow(access, lanes, memory);
  unsigned first = 0;
  if (const unsigned count = words_in_a_row(access, lanes, first); count != 0) {
    std::memcpy(access.data[0].data() + first, memory.at(access.address[first]), std::size_t{count} * word_bytes);
    return;
  }
  const unsigned words = access.bytes / word_bytes;
  for_each_lane(lanes, [&](unsigned lane) {
    for (unsigned word = 0; word < words; ++word) {
      std::memcpy(&access.data[word][lane], memory.at(access.address[lane]) + word * word_bytes, word_bytes);
    }
  });
}

void store(const MemoryAccess& access, LaneMask lanes, DeviceMemory& memory) {
  if (access.bytes < word_bytes) {
    for_each_lane(lanes, [&](unsigned lane) {
      std::memcpy(memory.at(access.address[lane]), &access.data[0][lane], access.bytes);
    });
    return;
  }
  unsigned first = 0;
  if (const unsigned count = words_in_a_row(access, lanes, first); count != 0) {
    std::memcpy(memory.at(access.address[first]), access.data[0].data() + first, std::size_t{count} * word_bytes);
    return;
  }
  const unsigned words = access.bytes / word_bytes;
  for_each_lane(lanes, [&](unsigned lane) {
    for (unsigned word = 0; word < words; ++word) {
      std::memcpy(memory.at(access.address[lane]) + word * word_bytes, &access.data[word][lane], word_bytes);
    }
  });
}

bool second_is_larger(std::uint32_t first, std::uint32_t second, bool signed_compare) {
  if (signed_compare) return static_cast<std::int32_t>(first) < static_cast<std::int32_t>(second);
  return first < second;
}

std::uint32_t combine32(const MemoryAccess& access, std::uint32_t old, std::uint32_t operand, std::uint32_t second) {
  switch (access.operation) {
    case op_add:
      return old + operand;
    case op_exch:
      return operand;
    case op_cas:
      return old == operand ? second : old;
    case op_inc:
      return old >= operand ? 0 : old + 1;
    case op_dec:
      return old == 0 || old > operand ? operand : old - 1;
    case op_max:
      return second_is_larger(old, operand, access.signed_compare) ? operand : old;
    case op_min:
      return second_is_larger(operand, old, access.signed_compare) ? operand : old;
    case op_and:
      return old & operand;
    case op_or:
      return old | operand;
    case op_xor:
      return old ^ operand;
    default:
      return old;  // the remaining codes leave memory unchanged
  }
}

std::uint64_t combine64(const MemoryAccess& access, std::uint64_t old, std::uint64_t operand, std::uint64_t second) {
  switch (access.operation) {
    case op_add:
      return old + operand;
    case op_exch:
      return operand;
    case op_cas:
      return old == operand ? second : old;
    default:
      return old;  // no other operation exists on 64 bits
  }
}

std::uint64_t pair(const MemoryAccess& access, unsigned word, unsigned lane) {
  return access.data[word][lane] | std::uint64_t{access.data[word + 1][lane]} << 32;
}

void atomic(MemoryAccess& access, LaneMask lanes, DeviceMemory& memory) {
  for_each_lane(lanes, [&](unsigned lane) {
    std::byte* const at = memory.at(access.address[lane]);
    if (access.bytes == 8) {
      std::uint64_t old = 0;
      std::memcpy(&old, at, sizeof old);
      const std::uint64_t result = combine64(access, old, pair(access, 0, lane), pair(access, 2, lane));
      std::memcpy(at, &result, sizeof result);
      access.data[0][lane] = static_cast<std::uint32_t>(old);
      access.data[1][lane] = static_cast<std::uint32_t>(old >> 32);
      return;
    }
    std::uint32_t old = 0;
    std::memcpy(&old, at, sizeof old);
    const std::uint32_t result = combine32(access, old, access.data[0][lane], access.data[2][lane]);
    std::memcpy(at, &result, sizeof result);
    access.data[0][lane] = old;
  });
}

}  // namespace

void perform(MemoryAccess& access, LaneMask lanes, DeviceMemory& memory, const AddressRange& range) {
  lanes &= access.lanes;
  if (access.space == MemoryAccess::Space::texture) return fetch_texels(*access.texture, lanes, range, memory);
  if (access.space == MemoryAccess::Space::local) return;  // took effect when it issued: no other thread can tell
  switch (access.kind) {
    case MemoryAccess::Kind::load:
      return load(access, lanes, memory);
    case MemoryAccess::Kind::store:
      return store(access, lanes, memory);
    case MemoryAccess::Kind::atomic:
    case MemoryAccess::Kind::reduction:
      return atomic(access, lanes, memory);
  }
}

}  // namespace teslasim
