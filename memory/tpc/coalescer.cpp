// SPDX-License-Identifier: Apache-2.0
#include "memory/tpc/coalescer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {

constexpr unsigned group_lanes = 16;  ///< half a warp
constexpr unsigned groups = warp_size / group_lanes;
constexpr LaneMask group_mask = (LaneMask{1} << group_lanes) - 1;
constexpr unsigned smallest_transaction = 32;
constexpr unsigned largest_transaction = 128;

/// Half a warp: addresses, and its lanes in bits 0..15.
struct Group {
  const std::uint32_t* address;
  LaneMask lanes;
  unsigned bytes;   ///< per lane
  unsigned number;  ///< 0: lower half
  bool row;         ///< known: words one after the other, also of lanes that take no part
};

CoalescedTransaction make(const Group& group, Address address, unsigned bytes, LaneMask lanes) {
  return {address, static_cast<std::uint16_t>(bytes), lanes << (group.number * group_lanes)};
}

using GroupRule = unsigned (*)(const Group& group, CoalescedTransaction* out);

template <GroupRule rule>
unsigned for_each_group(const MemoryAccess& access, std::span<CoalescedTransaction> out) {
  unsigned count = 0;
  for (unsigned number = 0; number < groups; ++number) {
    const LaneMask lanes = access.lanes >> (number * group_lanes) & group_mask;
    if (lanes == 0) continue;
    const bool row = access.space == MemoryAccess::Space::global && access.side_by_side[number];
    const Group group{access.address.data() + number * group_lanes, lanes, access.bytes, number, row};
    count += rule(group, out.data() + count);
  }
  return count;
}

/// Lane k takes word k of a block that starts where word 0 would be.
bool in_lane_order(const Group& group) {
  const auto first = static_cast<unsigned>(std::countr_zero(group.lanes));
  const Address block = group.address[first] - first * group.bytes;
  if (block % (group_lanes * group.bytes) != 0) return false;
  LaneMask wrong = 0;
  for (unsigned lane = 0; lane < group_lanes; ++lane) {
    wrong |= static_cast<LaneMask>(group.address[lane] != block + lane * group.bytes) << lane;
  }
  return (wrong & group.lanes) == 0;
}

unsigned strict_group(const Group& group, CoalescedTransaction* out) {
  constexpr unsigned smallest_word = 4;
  unsigned count = 0;
  if (group.bytes < smallest_word || !in_lane_order(group)) {
    for (LaneMask left = group.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const Address segment = group.address[lane] & ~Address{smallest_transaction - 1};
      out[count++] = make(group, segment, smallest_transaction, LaneMask{1} << lane);
    }
    return count;
  }
  const unsigned bytes = std::min(group_lanes * group.bytes, largest_transaction);
  const unsigned lanes_per_block = bytes / group.bytes;
  const LaneMask block_mask = (LaneMask{1} << lanes_per_block) - 1;
  for (unsigned lane = 0; lane < group_lanes; lane += lanes_per_block) {
    const LaneMask lanes = group.lanes & block_mask << lane;
    if (lanes == 0) continue;
    const Address segment = group.address[std::countr_zero(lanes)] & ~Address{bytes - 1};
    out[count++] = make(group, segment, bytes, lanes);
  }
  return count;
}

/// The smallest legal transaction that holds the bytes lowest..highest of one segment.
CoalescedTransaction shrink(const Group& group, Address lowest, Address highest, LaneMask lanes, unsigned smallest) {
  unsigned bytes = smallest;
  while (((lowest ^ highest) & ~Address{bytes - 1}) != 0) bytes *= 2;
  return make(group, lowest & ~Address{bytes - 1}, bytes, lanes);
}

/// Which lanes of `segment_of` equal `segment`. Written so that compilers turn it into vector compares.
LaneMask lanes_in(const std::array<Address, group_lanes>& segment_of, Address segment) {
  LaneMask found = 0;
  for (unsigned lane = 0; lane < group_lanes; ++lane) {
    found |= segment_of[lane] == segment ? LaneMask{1} << lane : LaneMask{0};
  }
  return found;
}

/// All lanes take part, each with the word behind that of the lane before.
bool one_behind_the_other(const Group& group) {
  if (group.lanes != group_mask) return false;
  if (group.row) return true;
  Address difference = 0;
  for (unsigned lane = 0; lane < group_lanes; ++lane) {
    difference |= group.address[lane] ^ (group.address[0] + lane * group.bytes);
  }
  return difference == 0;
}

template <unsigned smallest>
unsigned segment_group(const Group& group, CoalescedTransaction* out) {
  // 32 bytes for 1-byte words, 64 for 2-byte words, 128 from 4 bytes on.
  const unsigned segment_bytes = std::min(smallest_transaction * group.bytes, largest_transaction);
  const Address begin = group.address[0];
  const Address last_byte = begin + group_lanes * group.bytes - 1;
  if (((begin ^ last_byte) & ~Address{segment_bytes - 1}) == 0 && one_behind_the_other(group)) {
    out[0] = shrink(group, begin, last_byte, group.lanes, smallest);  // what the rule below comes to
    return 1;
  }
  std::array<Address, group_lanes> segment_of;
  for (unsigned lane = 0; lane < group_lanes; ++lane)
    segment_of[lane] = group.address[lane] & ~Address{segment_bytes - 1};
  unsigned count = 0;
  for (LaneMask left = group.lanes; left != 0;) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    const LaneMask served = left & lanes_in(segment_of, segment_of[first]);
    left &= ~served;
    Address lowest = group.address[first];
    Address highest = lowest;
    for (LaneMask others = served & (served - 1); others != 0; others &= others - 1) {
      const Address address = group.address[std::countr_zero(others)];
      lowest = std::min(lowest, address);
      highest = std::max(highest, address);
    }
    out[count++] = shrink(group, lowest, highest + group.bytes - 1, served, smallest);
  }
  return count;
}

/// What Zhang & Owens 2011 ask for in section 5.3.
constexpr unsigned smaller_transaction = 16;

unsigned coalesce_small_segments(const MemoryAccess& access, std::span<CoalescedTransaction> out) {
  return for_each_group<segment_group<smaller_transaction>>(access, out);
}

constexpr std::array<CoalescingRules, 3> rules{{
    {"cc10", "compute capability 1.0 and 1.1: all or nothing, per half-warp", coalesce_strict},
    {"cc12", "compute capability 1.2 and 1.3: as few segments as the addresses need", coalesce_segments},
    {"cc12_16", "as cc12, with transactions down to 16 bytes; no chip has them", coalesce_small_segments},
}};

}  // namespace

unsigned coalesce_strict(const MemoryAccess& access, std::span<CoalescedTransaction> out) {
  return for_each_group<strict_group>(access, out);
}

unsigned coalesce_segments(const MemoryAccess& access, std::span<CoalescedTransaction> out) {
  return for_each_group<segment_group<smallest_transaction>>(access, out);
}

std::span<const CoalescingRules> coalescing_rules() {
  return rules;
}

const CoalescingRules& find_coalescing_rules(std::string_view name) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const auto& row) { return row.name == name; });
  SIM_CHECK(found != rules.end(), "there are no coalescing rules named " + std::string(name));
  return *found;
}

void count_traffic(const MemoryAccess& access, std::span<const CoalescedTransaction> transactions,
                   CoalescingStatistics& statistics) {
  statistics.requests_half_warp += ((access.lanes & 0xffffU) != 0 ? 1U : 0U) + ((access.lanes >> 16) != 0 ? 1U : 0U);
  const unsigned texels = access.space == MemoryAccess::Space::texture ? access.texture->texels : 1U;
  const auto lanes = access.lanes == all_lanes ? warp_size : static_cast<unsigned>(std::popcount(access.lanes));
  statistics.bytes_used += std::uint64_t{lanes} * access.bytes * texels;
  for (const CoalescedTransaction& transaction : transactions) {
    statistics.bytes += transaction.bytes;
    if (transaction.bytes == 16) {
      ++statistics.transactions_16;
    } else if (transaction.bytes == 32) {
      ++statistics.transactions_32;
    } else if (transaction.bytes == 64) {
      ++statistics.transactions_64;
    } else {
      ++statistics.transactions_128;
    }
  }
}

}  // namespace teslasim
