// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/conflict_degree.h"

#include <bit>

namespace teslasim {

namespace {

constexpr unsigned word_shift = 2;
constexpr unsigned half_warp = warp_size / 2;

/// Word i lies in bank i modulo the number of banks, which chips have as a power of two.
unsigned bank_of(std::uint32_t word, unsigned banks) {
  const bool power_of_two = (banks & (banks - 1)) == 0;  // std::has_single_bit calls a function on plain x86-64
  return power_of_two ? word & (banks - 1) : word % banks;
}
std::uint64_t bank_bit(std::uint32_t word, unsigned banks) {
  return std::uint64_t{1} << bank_of(word, banks);
}

LaneMask lanes_of_group(const OnChipAccess& access, unsigned first_lane, unsigned group) {
  const LaneMask low = group >= warp_size ? all_lanes : (LaneMask{1} << group) - 1;
  return access.lanes & (low << first_lane);
}

/// Lanes of `candidates` that ask for the word of the lowest of them.
LaneMask same_word_as_first(const OnChipAccess& access, LaneMask candidates) {
  const std::uint32_t word = access.address[static_cast<unsigned>(std::countr_zero(candidates))] >> word_shift;
  LaneMask same = 0;
  for (LaneMask rest = candidates; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (access.address[lane] >> word_shift == word) same |= LaneMask{1} << lane;
  }
  return same;
}

/// The banks of a half-warp that reads consecutive words.
std::uint64_t consecutive_banks(std::uint32_t first_word, unsigned banks) {
  constexpr std::uint64_t ones = (std::uint64_t{1} << half_warp) - 1;
  if (banks == half_warp) return ones;
  const unsigned first = first_word % banks;
  const std::uint64_t every = banks >= BankAccesses::most_banks ? ~std::uint64_t{0} : (std::uint64_t{1} << banks) - 1;
  return ((ones << first) | (first == 0 ? 0 : ones >> (banks - first))) & every;
}

/// The banks of all words together.
std::uint64_t banks_of(const OnChipAccess& access, LaneMask lanes, unsigned banks) {
  std::uint64_t used = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t word = access.address[static_cast<unsigned>(std::countr_zero(rest))] >> word_shift;
    used |= bank_bit(word, banks);
  }
  return used;
}

/// What one pass serves.
struct Pass {
  LaneMask lanes = 0;
  std::uint64_t banks = 0;
};

Pass one_pass(const OnChipAccess& access, LaneMask waiting, unsigned banks) {
  LaneMask served = same_word_as_first(access, waiting);
  const std::uint32_t broadcast = access.address[static_cast<unsigned>(std::countr_zero(waiting))] >> word_shift;
  std::uint64_t busy = bank_bit(broadcast, banks);
  for (LaneMask rest = waiting & ~served; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t bank = bank_bit(access.address[lane] >> word_shift, banks);
    if ((busy & bank) != 0) continue;
    busy |= bank;
    served |= LaneMask{1} << lane;
  }
  return {served, busy};
}

}  // namespace

unsigned shared_passes(const OnChipAccess& access, unsigned first_lane, unsigned group, unsigned banks,
                       BankAccesses* used) {
  LaneMask waiting = lanes_of_group(access, first_lane, group);
  if (waiting == 0) return 0;
  const auto in_one = [used](std::uint64_t mask) {
    if (used != nullptr) used->add(mask);
    return 1U;
  };
  const auto word = [&access](unsigned lane) { return access.address[lane] >> word_shift; };
  if (access.uniform) return in_one(bank_bit(word(0), banks));
  if (group == half_warp) {
    const LaneShape shape = access.half[first_lane / half_warp];
    if (shape == LaneShape::one_address) return in_one(bank_bit(word(first_lane), banks));
    constexpr LaneMask every = (LaneMask{1} << half_warp) - 1;
    if (shape == LaneShape::consecutive && waiting >> first_lane == every && banks >= half_warp) {
      return in_one(consecutive_banks(word(first_lane), banks));
    }
  }
  const std::uint64_t all = banks_of(access, waiting, banks);
  if (std::popcount(all) == std::popcount(waiting)) return in_one(all);  // every lane in a bank of its own
  unsigned passes = 0;
  while (waiting != 0) {
    const Pass pass = one_pass(access, waiting, banks);
    waiting &= ~pass.lanes;
    passes += in_one(pass.banks);
  }
  return passes;
}

bool one_pass_each(const OnChipAccess& access, unsigned group, unsigned banks, BankAccesses* used) {
  if (access.lanes != all_lanes || group != half_warp || banks < half_warp) return false;
  if (!access.uniform && (access.half[0] == LaneShape::other || access.half[1] == LaneShape::other)) return false;
  if (used == nullptr) return true;
  if (access.uniform) {
    used->add_passes(bank_of(access.address[0] >> word_shift, banks), access.half.size());
    return true;
  }
  for (unsigned half = 0; half < access.half.size(); ++half) {
    const std::uint32_t first = access.address[half * half_warp] >> word_shift;
    if (access.half[half] == LaneShape::one_address) {
      used->add_passes(bank_of(first, banks), 1);
    } else {
      used->add(consecutive_banks(first, banks));
    }
  }
  return true;
}

unsigned constant_passes(const OnChipAccess& access, unsigned first_lane, unsigned group) {
  LaneMask waiting = lanes_of_group(access, first_lane, group);
  if (waiting == 0) return 0;
  if (access.uniform) return 1;
  unsigned passes = 0;
  for (; waiting != 0; waiting &= ~same_word_as_first(access, waiting)) ++passes;
  return passes;
}

}  // namespace teslasim
