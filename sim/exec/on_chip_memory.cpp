// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/on_chip_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/semantics/wide.h"
#include "sim/base/each_lane.h"

namespace teslasim {

namespace {

constexpr unsigned half_warp = warp_size / 2;
constexpr unsigned word_bytes = 4;

/// Reads one element, extended to a word.
template <unsigned bytes, bool sign_extend>
std::uint32_t read_element(const std::uint8_t* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, bytes);
  if constexpr (sign_extend && bytes < 4) {
    constexpr unsigned unused = 32 - 8 * bytes;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value << unused) >> unused);
  }
  return value;
}

template <unsigned bytes, bool sign_extend>
void read_lanes(const std::uint8_t* memory, const OnChipAccess& access, std::uint32_t* row) {
  if (access.uniform) {
    const std::uint32_t value = read_element<bytes, sign_extend>(memory + access.address[0]);
    for (unsigned i = 0; i < warp_size; ++i) row[i] = value;
    return;
  }
  for (unsigned half = 0; half < access.half.size(); ++half) {
    const std::uint32_t* const address = access.address.data() + half * half_warp;
    std::uint32_t* const part = row + half * half_warp;
    if (access.half[half] == LaneShape::one_address) {
      const std::uint32_t value = read_element<bytes, sign_extend>(memory + address[0]);
      for (unsigned i = 0; i < half_warp; ++i) part[i] = value;
    } else if (bytes == 4 && access.half[half] == LaneShape::consecutive) {
      std::memcpy(part, memory + address[0], half_warp * bytes);
    } else {
      for (unsigned i = 0; i < half_warp; ++i) part[i] = read_element<bytes, sign_extend>(memory + address[i]);
    }
  }
}

/// All lanes of `access` have valid addresses, also those that do not take part.
void read_row(const std::uint8_t* memory, const OnChipAccess& access, ValueType type, std::uint32_t* row) {
  switch (type) {
    case ValueType::u8:
      return read_lanes<1, false>(memory, access, row);
    case ValueType::s8:
      return read_lanes<1, true>(memory, access, row);
    case ValueType::u16:
    case ValueType::b16:
      return read_lanes<2, false>(memory, access, row);
    case ValueType::s16:
      return read_lanes<2, true>(memory, access, row);
    default:
      return read_lanes<4, false>(memory, access, row);
  }
}

/// From the first two addresses of a half-warp: how far apart all would be if it had a shape.
std::uint32_t step_of(const std::uint32_t* address) {
  return address[1] == address[0] ? 0 : word_bytes;
}

/// Looks for the common shapes of all 32 addresses, of which each half-warp may have its own: one address, consecutive
/// words. False: there is another one.
bool find_common_shape(OnChipAccess& access, OnChipMemory::AddressSummary& summary) {
  const std::uint32_t* const address = aligned(access.address.data());
  const std::array<std::uint32_t, 2> first{address[0], address[half_warp]};
  const std::array<std::uint32_t, 2> step{step_of(address), step_of(address + half_warp)};
  std::uint32_t irregular = 0;
  for (unsigned i = 0; i < half_warp; ++i) {
    irregular |= address[i] ^ (first[0] + step[0] * i);
    irregular |= address[i + half_warp] ^ (first[1] + step[1] * i);
  }
  if (irregular != 0) return false;
  for (unsigned half = 0; half < step.size(); ++half) {
    access.half[half] = step[half] == 0 ? LaneShape::one_address : LaneShape::consecutive;
    const std::uint32_t distance = step[half] * (half_warp - 1);
    summary.bits |= first[half] | distance;  // of the low bits, which alignment is about, words in a row have all
    summary.highest = std::max(summary.highest, static_cast<std::int32_t>(first[half] + distance));
  }
  access.uniform = step[0] == 0 && step[1] == 0 && first[0] == first[1];
  summary.consecutive = step[0] != 0 && step[1] != 0 && first[1] == first[0] + word_bytes * half_warp;
  return true;
}

/// Addresses relative to the row `base_row` of an address register.
OnChipMemory::AddressSummary add_offset(const std::uint32_t* base_row, std::uint32_t offset, LaneMask executed,
                                        OnChipAccess& access) {
  const std::uint32_t* const base = aligned(base_row);
  std::uint32_t* const address = aligned(access.address.data());
  if (executed == all_lanes) {
    for (unsigned i = 0; i < warp_size; ++i) address[i] = (base[i] + offset) & low_half;
  } else {
    const std::uint32_t reference = base[static_cast<unsigned>(std::countr_zero(executed))];
    for (unsigned i = 0; i < warp_size; ++i) {
      const std::uint32_t takes_part = select_word(executed, i);
      address[i] = (((base[i] & takes_part) | (reference & ~takes_part)) + offset) & low_half;
    }
  }
  OnChipMemory::AddressSummary summary;
  if (find_common_shape(access, summary)) return summary;
  for (unsigned i = 0; i < warp_size; ++i) {
    const auto value = static_cast<std::int32_t>(address[i]);
    summary.bits |= address[i];
    summary.highest = value > summary.highest ? value : summary.highest;
  }
  access.find_shapes();
  return summary;
}

/// The same for hosts with AVX2.
TESLASIM_WIDE_COPY OnChipMemory::AddressSummary add_offset_wide(const std::uint32_t* base_row, std::uint32_t offset,
                                                                LaneMask executed, OnChipAccess& access) {
  return add_offset(base_row, offset, executed, access);
}

}  // namespace

OnChipMemory::AddressSummary OnChipMemory::fill_addresses(const ResidentWarp& warp, const Operand& operand,
                                                          LaneMask executed, OnChipAccess& access) const {
  access.lanes = executed;
  access.bytes = static_cast<std::uint8_t>(bytes_of(operand.type));
  const auto offset = operand.post_increment ? 0U : static_cast<std::uint32_t>(operand.offset);
  if (operand.address_register == 0) {
    access.uniform = true;
    access.half = {LaneShape::one_address, LaneShape::one_address};
    access.address[0] = offset & low_half;
    return {static_cast<std::int32_t>(access.address[0]), access.address[0], false};
  }
  const std::uint32_t* const base = warp.rows + (context_.registers + operand.address_register) * warp_size;
  return wide_ ? add_offset_wide(base, offset, executed, access) : add_offset(base, offset, executed, access);
}

void OnChipMemory::check(const ResidentWarp& warp, const Operation& operation, const OnChipAccess& access,
                         const AddressSummary& summary, const Space& space) const {
  const std::uint64_t limit = space.bytes;
  const bool aligned_all = (summary.bits & (access.bytes - 1U)) == 0;
  if (aligned_all && static_cast<std::uint32_t>(summary.highest) + access.bytes <= limit) [[likely]]
    return;
  LaneMask wrong = 0;
  std::uint32_t first_wrong = 0;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const std::uint32_t address = access.address[access.uniform ? 0 : lane];
    const bool good = aligned_all ? address + access.bytes <= limit : (address & (access.bytes - 1U)) == 0;
    if (good) return;
    if (wrong == 0) first_wrong = address;
    wrong |= LaneMask{1} << lane;
  });
  throw_on_chip_error(
      {fault_place(context_, warp, operation, wrong), first_wrong, access.bytes, limit, aligned_all, space.name});
}

void OnChipMemory::read_shared(const ResidentWarp& warp, const Operation& operation, const Operand& operand,
                               LaneMask executed, OnChipAccess& access, std::uint32_t* row) const {
  const AddressSummary summary = address_shared(warp, operation, operand, executed, access);
  if (summary.consecutive && access.bytes == 4) {
    std::memcpy(row, warp.block->shared + access.address[0], sizeof(LaneRow));
    return;
  }
  read_row(warp.block->shared, access, operand.type, row);
}

void OnChipMemory::read_constant(const ResidentWarp& warp, const Operation& operation, const Operand& operand,
                                 LaneMask executed, OnChipAccess& access, std::uint32_t* row) const {
  const auto& bank = context_.launch.constant_banks[operand.bank & 15U];
  const AddressSummary summary = fill_addresses(warp, operand, executed, access);
  check(warp, operation, access, summary, {"constant", bank.size()});
  read_row(bank.data(), access, operand.type, row);
}

void OnChipMemory::post_increment(ResidentWarp& warp, const Operand& operand, LaneMask executed) const {
  if (!operand.post_increment || operand.address_register == 0) return;
  std::uint32_t* const base = warp.rows + (context_.registers + operand.address_register) * warp_size;
  for_each_lane(executed, [&](unsigned lane) {
    base[lane] = (base[lane] + static_cast<std::uint32_t>(operand.offset)) & low_half;
  });
}

OnChipMemory::AddressSummary OnChipMemory::address_shared(const ResidentWarp& warp, const Operation& operation,
                                                          const Operand& operand, LaneMask executed,
                                                          OnChipAccess& access) const {
  const AddressSummary summary = fill_addresses(warp, operand, executed, access);
  check(warp, operation, access, summary, {"shared", context_.shared_limit});
  return summary;
}

}  // namespace teslasim
