// SPDX-License-Identifier: Apache-2.0
#include "memory/image/memory_access.h"

#include <bit>
#include <cstddef>
#include <cstring>

#include "memory/image/device_memory.h"
#include "memory/image/word_copies.h"
#include "sim/base/each_lane.h"

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

constexpr unsigned half_warp = warp_size / 2;
constexpr LaneMask half_lanes = all_lanes >> half_warp;
constexpr std::size_t whole_row_bytes = std::size_t{half_warp} * word_bytes;

/// Neighbouring lanes with neighbouring words.
struct Row {
  unsigned first = 0;  ///< lane
  Address address = 0;
  std::size_t bytes = 0;  ///< 0: there is no such row
};

/// `lanes` of one half-warp, when they are known to be a row.
Row row_of(const MemoryAccess& access, LaneMask lanes) {
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const unsigned half = first / half_warp;
  const LaneMask run = lanes >> first;
  if (!access.side_by_side[half] || (run & (run + 1)) != 0) return {};
  return {first, access.first_address[half] + first % half_warp * word_bytes,
          static_cast<std::size_t>(std::bit_width(run)) * word_bytes};
}

/// Calls `row` for those of the two half-warps that are a row, `others` for those that are not.
template <typename RowFunction, typename OtherFunction>
void by_half_warp(const MemoryAccess& access, LaneMask lanes, RowFunction row, OtherFunction others) {
  for (const LaneMask part : {lanes & half_lanes, lanes & ~half_lanes}) {
    if (part == 0) continue;
    const Row known = row_of(access, part);
    if (known.bytes != 0) {
      row(known);
    } else {
      others(part);
    }
  }
}

constexpr unsigned no_half = 2;

/// Which half-warp `lanes` are, all of it, when it is known to be a row: so are most accesses that coalesce well.
unsigned whole_row(const MemoryAccess& access, LaneMask lanes) {
  const unsigned half = (lanes & half_lanes) == 0 ? 1 : 0;
  return lanes == half_lanes << half * half_warp && access.side_by_side[half] ? half : no_half;
}

std::uint32_t* results(MemoryAccess& access) {
  return access.registers != nullptr ? access.registers : access.data[0].data();
}

template <typename Words>
void load_narrow(MemoryAccess& access, LaneMask lanes, const DeviceMemory& memory) {
  std::uint32_t* const result = results(access);
  for_each_lane(lanes, [&](unsigned lane) {
    const std::byte* const at = memory.at(access.address[lane]);
    std::uint32_t value = 0;
    Words::load(&value, at, access.bytes);
    if (access.sign_extend) {
      const unsigned unused = 32U - 8U * access.bytes;
      value = static_cast<std::uint32_t>(static_cast<std::int32_t>(value << unused) >> unused);
    }
    result[lane] = value;
  });
}

template <typename Words>
void load_words(MemoryAccess& access, LaneMask lanes, const DeviceMemory& memory) {
  std::uint32_t* const result = results(access);
  const unsigned words = access.bytes / word_bytes;
  for_each_lane(lanes, [&](unsigned lane) {
    const std::byte* const at = memory.at(access.address[lane]);
    for (unsigned word = 0; word < words; ++word) {
      Words::load(result + word * warp_size + lane, at + word * word_bytes, word_bytes);
    }
  });
}

/// Words of a row; all 16 of them without a call.
template <typename Copy>
void copy_row(std::size_t bytes, const Copy& copy) {
  if (bytes == whole_row_bytes) {
    copy(whole_row_bytes);
  } else {
    copy(bytes);
  }
}

template <typename Words>
[[gnu::always_inline]] inline void load(MemoryAccess& access, LaneMask lanes, const DeviceMemory& memory) {
  if (access.bytes < word_bytes) return load_narrow<Words>(access, lanes, memory);
  if (const unsigned half = whole_row(access, lanes); half != no_half) {
    Words::load(results(access) + std::size_t{half} * half_warp, memory.at(access.first_address[half]),
                whole_row_bytes);
    return;
  }
  by_half_warp(
      access, lanes,
      [&](const Row& row) {
        copy_row(row.bytes,
                 [&](std::size_t bytes) { Words::load(results(access) + row.first, memory.at(row.address), bytes); });
      },
      [&](LaneMask others) { load_words<Words>(access, others, memory); });
}

template <typename Words>
void store_narrow(const MemoryAccess& access, LaneMask lanes, DeviceMemory& memory) {
  for_each_lane(lanes, [&](unsigned lane) {
    Words::store(memory.at(access.address[lane]), &access.data[0][lane], access.bytes);
  });
}

template <typename Words>
void store_words(const MemoryAccess& access, LaneMask lanes, DeviceMemory& memory) {
  const unsigned words = access.bytes / word_bytes;
  for_each_lane(lanes, [&](unsigned lane) {
    std::byte* const at = memory.at(access.address[lane]);
    for (unsigned word = 0; word < words; ++word) {
      Words::store(at + word * word_bytes, &access.data[word][lane], word_bytes);
    }
  });
}

template <typename Words>
[[gnu::always_inline]] inline void store(const MemoryAccess& access, LaneMask lanes, DeviceMemory& memory) {
  if (access.bytes < word_bytes) return store_narrow<Words>(access, lanes, memory);
  if (const unsigned half = whole_row(access, lanes); half != no_half) {
    Words::store(memory.at(access.first_address[half]), &access.data[0][std::size_t{half} * half_warp],
                 whole_row_bytes);
    return;
  }
  by_half_warp(
      access, lanes,
      [&](const Row& row) {
        copy_row(row.bytes,
                 [&](std::size_t bytes) { Words::store(memory.at(row.address), &access.data[0][row.first], bytes); });
      },
      [&](LaneMask others) { store_words<Words>(access, others, memory); });
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

template <typename Words>
[[gnu::always_inline]] inline void perform_with(MemoryAccess& access, LaneMask lanes, DeviceMemory& memory,
                                                const AddressRange& range) {
  lanes &= access.lanes;
  if (access.space == MemoryAccess::Space::texture) return fetch_texels(*access.texture, lanes, range, memory);
  if (access.space == MemoryAccess::Space::local) return;  // took effect when it issued: no other thread can tell
  switch (access.kind) {
    case MemoryAccess::Kind::load:
      return load<Words>(access, lanes, memory);
    case MemoryAccess::Kind::store:
      return store<Words>(access, lanes, memory);
    case MemoryAccess::Kind::atomic:
    case MemoryAccess::Kind::reduction:
      return atomic(access, lanes, memory);
  }
}

}  // namespace

void find_rows(MemoryAccess& access) {
  for (unsigned half = 0; half < access.side_by_side.size(); ++half) {
    const std::uint32_t* const address = &access.address[std::size_t{half} * half_warp];
    std::uint32_t difference = 0;
    for (unsigned lane = 0; lane < half_warp; ++lane) difference |= address[lane] ^ (address[0] + lane * word_bytes);
    access.side_by_side[half] = access.bytes == word_bytes && difference == 0;
    access.first_address[half] = address[0];
  }
}

void perform(MemoryAccess& access, LaneMask lanes, DeviceMemory& memory, const AddressRange& range) {
  perform_with<OwnWords>(access, lanes, memory, range);
}

void perform_beside_others(MemoryAccess& access, DeviceMemory& memory) {
  perform_with<SharedWords>(access, access.lanes, memory, {});
}

}  // namespace teslasim
