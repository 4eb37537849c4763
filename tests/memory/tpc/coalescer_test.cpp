// SPDX-License-Identifier: Apache-2.0
// Coalescing by pencil (the PG-COAL rows of the CUDA C Programming Guide 4.2, appendix F.3.2) and by law.
#include "memory/tpc/coalescer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr Address block = 0x10000;
constexpr LaneMask lower_half = 0xffff;

MemoryAccess access_of(unsigned bytes, LaneMask lanes, const std::function<Address(unsigned lane)>& address) {
  MemoryAccess access;
  access.bytes = static_cast<std::uint8_t>(bytes);
  access.lanes = lanes;
  for (unsigned lane = 0; lane < warp_size; ++lane) access.address[lane] = address(lane);
  return access;
}

std::vector<CoalescedTransaction> run(std::string_view rules, const MemoryAccess& access) {
  std::array<CoalescedTransaction, max_coalesced_transactions> out;
  const unsigned count = coalesce(access, find_coalescing_rules(rules), out);
  return {out.begin(), out.begin() + count};
}

/// Sizes of the transactions of the lower half-warp.
std::vector<unsigned> sizes(std::string_view rules, unsigned bytes, const std::function<Address(unsigned)>& address,
                            LaneMask lanes = lower_half) {
  std::vector<unsigned> result;
  for (const auto& transaction : run(rules, access_of(bytes, lanes, address))) result.push_back(transaction.bytes);
  return result;
}

using Sizes = std::vector<unsigned>;

std::function<Address(unsigned)> stride(unsigned bytes, Address first = block) {
  return [=](unsigned lane) { return first + lane * bytes; };
}

// ---- compute capability 1.0 and 1.1

TEST(Cc10, lane_k_to_word_k_is_one_transaction_of_64_bytes) {
  EXPECT_EQ(sizes("cc10", 4, stride(4)), (Sizes{64}));
}
TEST(Cc10, eight_byte_words_are_one_of_128) {
  EXPECT_EQ(sizes("cc10", 8, stride(8)), (Sizes{128}));
}
TEST(Cc10, sixteen_byte_words_are_two_of_128) {
  EXPECT_EQ(sizes("cc10", 16, stride(16)), (Sizes{128, 128}));
}

TEST(Cc10, lanes_may_be_missing) {
  EXPECT_EQ(sizes("cc10", 4, stride(4), 0x8421), (Sizes{64}));
  EXPECT_EQ(sizes("cc10", 16, stride(16), 0x00f0), (Sizes{128})) << "no lane takes part in the second block";
  EXPECT_EQ(sizes("cc10", 16, stride(16), 0x0180), (Sizes{128, 128}));
}

TEST(Cc10, a_permutation_costs_one_transaction_per_lane) {
  EXPECT_EQ(sizes("cc10", 4, [](unsigned lane) { return block + (lane ^ 1U) * 4; }), Sizes(16, 32));
}
TEST(Cc10, so_does_misalignment) {
  EXPECT_EQ(sizes("cc10", 4, stride(4, block + 4)), Sizes(16, 32));
}
TEST(Cc10, so_does_alignment_to_less_than_the_block) {
  EXPECT_EQ(sizes("cc10", 8, stride(8, block + 64)), Sizes(16, 32));
  EXPECT_EQ(sizes("cc10", 16, stride(16, block + 128)), Sizes(16, 32));
}
TEST(Cc10, so_does_a_stride) {
  EXPECT_EQ(sizes("cc10", 4, stride(8)), Sizes(16, 32));
}
TEST(Cc10, so_does_one_address_for_all) {
  EXPECT_EQ(sizes("cc10", 4, stride(0)), Sizes(16, 32));
}
TEST(Cc10, so_do_small_words) {
  EXPECT_EQ(sizes("cc10", 1, stride(1)), Sizes(16, 32));
  EXPECT_EQ(sizes("cc10", 2, stride(2)), Sizes(16, 32));
}
TEST(Cc10, only_active_lanes_cost) {
  EXPECT_EQ(sizes("cc10", 4, stride(8), 0x0111), Sizes(3, 32));
}

TEST(Cc10, halves_are_judged_apart) {
  const auto access = access_of(4, all_lanes, [](unsigned lane) { return block + (lane < 16 ? lane : 47 - lane) * 4; });
  const auto transactions = run("cc10", access);
  ASSERT_EQ(transactions.size(), 17U);
  EXPECT_EQ(transactions[0], (CoalescedTransaction{block, 64, lower_half}));
  EXPECT_EQ(transactions[1], (CoalescedTransaction{block + 96, 32, LaneMask{1} << 16}));
}

// ---- compute capability 1.2 and 1.3

TEST(Cc12, first_segment_by_word_size) {
  // Two far ends of the initial segment keep it from shrinking.
  const auto ends = [](unsigned bytes, unsigned segment) {
    return sizes("cc12", bytes, [=](unsigned lane) { return lane == 0 ? block : block + segment - bytes; });
  };
  EXPECT_EQ(ends(1, 32), (Sizes{32}));
  EXPECT_EQ(ends(2, 64), (Sizes{64}));
  EXPECT_EQ(ends(4, 128), (Sizes{128}));
  EXPECT_EQ(ends(8, 128), (Sizes{128}));
  EXPECT_EQ(ends(16, 128), (Sizes{128}));
  EXPECT_EQ(ends(1, 64), (Sizes{32, 32})) << "1-byte words are looked for in 32 bytes only";
  EXPECT_EQ(ends(2, 128), (Sizes{32, 32})) << "2-byte words in 64";
  EXPECT_EQ(ends(4, 256), (Sizes{32, 32}));
}

TEST(Cc12, consecutive_words) {
  EXPECT_EQ(sizes("cc12", 1, stride(1)), (Sizes{32}));
  EXPECT_EQ(sizes("cc12", 2, stride(2)), (Sizes{32}));
  EXPECT_EQ(sizes("cc12", 4, stride(4)), (Sizes{64}));
  EXPECT_EQ(sizes("cc12", 8, stride(8)), (Sizes{128}));
  EXPECT_EQ(sizes("cc12", 16, stride(16)), (Sizes{128, 128}));
}

TEST(Cc12, segments_shrink_to_the_half_that_is_used) {
  EXPECT_EQ(sizes("cc12", 4, stride(4, block + 64)), (Sizes{64})) << "128 -> upper 64";
  EXPECT_EQ(sizes("cc12", 4, stride(0, block + 96)), (Sizes{32})) << "128 -> 64 -> 32";
  EXPECT_EQ(sizes("cc12", 2, stride(2, block + 32)), (Sizes{32})) << "64 -> 32";
  EXPECT_EQ(sizes("cc12", 4, [](unsigned lane) { return block + 32 + lane % 16 * 4; }), (Sizes{128}))
      << "the middle half is not a half";
}

TEST(Cc12, misaligned_words_take_two_segments) {
  EXPECT_EQ(sizes("cc12", 4, stride(4, block + 4)), (Sizes{128})) << "within one 128-byte segment";
  EXPECT_EQ(sizes("cc12", 4, stride(4, block + 100)), (Sizes{32, 64}));
}

TEST(Cc12, strides_by_pencil) {
  EXPECT_EQ(sizes("cc12", 4, stride(8)), (Sizes{128}));
  EXPECT_EQ(sizes("cc12", 4, stride(16)), (Sizes{128, 128}));
  EXPECT_EQ(sizes("cc12", 4, stride(32)), (Sizes{128, 128, 128, 128}));
  EXPECT_EQ(sizes("cc12", 4, stride(128)), Sizes(16, 32));
}

TEST(Cc12, the_lowest_lane_comes_first) {
  const auto transactions =
      run("cc12", access_of(4, lower_half, [](unsigned lane) { return block + (lane % 2 ? 0 : 256); }));
  ASSERT_EQ(transactions.size(), 2U);
  EXPECT_EQ(transactions[0], (CoalescedTransaction{block + 256, 32, 0x5555}));
  EXPECT_EQ(transactions[1], (CoalescedTransaction{block, 32, 0xaaaa}));
}

TEST(Cc12, the_top_of_the_address_space) {
  EXPECT_EQ(sizes("cc12", 4, stride(4, 0xffffffc0U)), (Sizes{64}));
  EXPECT_EQ(sizes("cc10", 4, stride(4, 0xffffffc0U)), (Sizes{64}));
}

TEST(Coalescing, no_lanes_no_transactions) {
  for (const auto& rules : coalescing_rules()) EXPECT_TRUE(run(rules.name, access_of(4, 0, stride(4))).empty());
}

TEST(Coalescing, unknown_rules_are_a_mistake_of_the_program) {
  EXPECT_THROW((void)find_coalescing_rules("cc99"), InternalError);
}

// ---- laws

struct Drawn {
  MemoryAccess access;
  std::string_view rules;
};

/// Any access with aligned addresses: near each other or far apart, so that lanes share segments often.
Drawn any_access() {
  const auto bytes = *rc::gen::element(1U, 2U, 4U, 8U, 16U);
  const auto spread = *rc::gen::element(64U, 512U, 1U << 20U);
  const auto offsets = *rc::gen::container<std::vector<std::uint32_t>>(warp_size, rc::gen::inRange(0U, spread));
  const auto lanes = *rc::gen::oneOf(rc::gen::just(all_lanes), rc::gen::arbitrary<LaneMask>());
  Drawn drawn;
  drawn.access = access_of(bytes, lanes, [&](unsigned lane) { return block + offsets[lane] / bytes * bytes; });
  drawn.rules = *rc::gen::element(std::string_view("cc10"), std::string_view("cc12"));
  return drawn;
}

RC_GTEST_PROP(CoalescingLaw, every_active_lane_is_served_exactly_once, ()) {
  const Drawn drawn = any_access();
  LaneMask served = 0;
  for (const auto& transaction : run(drawn.rules, drawn.access)) {
    RC_ASSERT(transaction.lanes != 0U);
    RC_ASSERT((served & transaction.lanes) == 0U);
    served |= transaction.lanes;
  }
  RC_ASSERT(served == drawn.access.lanes);
}

RC_GTEST_PROP(CoalescingLaw, all_bytes_of_a_lane_are_in_its_transaction_which_is_aligned_and_legal, ()) {
  const Drawn drawn = any_access();
  for (const auto& transaction : run(drawn.rules, drawn.access)) {
    RC_ASSERT(transaction.bytes == 32 || transaction.bytes == 64 || transaction.bytes == 128);
    RC_ASSERT(transaction.address % transaction.bytes == 0U);
    for (LaneMask lanes = transaction.lanes; lanes != 0; lanes &= lanes - 1) {
      const Address address = drawn.access.address[static_cast<unsigned>(std::countr_zero(lanes))];
      RC_ASSERT(address >= transaction.address);
      RC_ASSERT(address + drawn.access.bytes <= transaction.address + transaction.bytes);
    }
  }
}

RC_GTEST_PROP(CoalescingLaw, a_transaction_serves_one_half_warp, ()) {
  const Drawn drawn = any_access();
  for (const auto& transaction : run(drawn.rules, drawn.access)) {
    RC_ASSERT(transaction.lanes <= lower_half || (transaction.lanes & lower_half) == 0U);
  }
}

/// The protocol word by word as the guide states it, with no shortcut.
std::vector<CoalescedTransaction> by_the_book(const MemoryAccess& access) {
  std::vector<CoalescedTransaction> result;
  for (unsigned half = 0; half < 2; ++half) {
    std::vector<unsigned> pending;
    for (unsigned lane = half * 16; lane < half * 16 + 16; ++lane) {
      if ((access.lanes >> lane & 1U) != 0) pending.push_back(lane);
    }
    while (!pending.empty()) {
      unsigned size = access.bytes == 1 ? 32 : access.bytes == 2 ? 64 : 128;
      Address segment = access.address[pending.front()] / size * size;
      LaneMask lanes = 0;
      std::vector<unsigned> rest;
      Address low = ~Address{0}, high = 0;
      for (const unsigned lane : pending) {
        const Address address = access.address[lane];
        if (address / size * size != segment) {
          rest.push_back(lane);
          continue;
        }
        lanes |= LaneMask{1} << lane;
        low = std::min(low, address);
        high = std::max(high, address + access.bytes - 1);
      }
      for (; size > 32; size /= 2) {
        if (high < segment + size / 2) continue;
        if (low < segment + size / 2) break;
        segment += size / 2;
      }
      result.push_back({segment, static_cast<std::uint16_t>(size), lanes});
      pending = rest;
    }
  }
  return result;
}

RC_GTEST_PROP(CoalescingLaw, cc12_follows_the_book, ()) {
  const Drawn drawn = any_access();
  RC_ASSERT(run("cc12", drawn.access) == by_the_book(drawn.access));
}

RC_GTEST_PROP(CoalescingLaw, cc12_does_not_care_which_lane_of_a_half_warp_takes_which_word, ()) {
  const Drawn drawn = any_access();
  MemoryAccess access = drawn.access;
  access.lanes = all_lanes;
  MemoryAccess permuted = access;
  auto order = *rc::gen::exec([] {
    std::vector<unsigned> lanes(16);
    std::iota(lanes.begin(), lanes.end(), 0U);
    for (unsigned i = 15; i > 0; --i) std::swap(lanes[i], lanes[*rc::gen::inRange(0U, i + 1)]);
    return lanes;
  });
  for (unsigned lane = 0; lane < 16; ++lane) permuted.address[lane] = access.address[order[lane]];
  const auto footprint = [](std::vector<CoalescedTransaction> transactions) {
    std::vector<std::pair<Address, unsigned>> result;
    for (const auto& t : transactions) result.emplace_back(t.address, t.bytes);
    std::sort(result.begin(), result.end());
    return result;
  };
  RC_ASSERT(footprint(run("cc12", access)) == footprint(run("cc12", permuted)));
}

RC_GTEST_PROP(CoalescingLaw, cc12_never_needs_more_transactions_than_cc10, ()) {
  const Drawn drawn = any_access();
  RC_ASSERT(run("cc12", drawn.access).size() <= run("cc10", drawn.access).size());
}

TEST(CoalescingLaw, cc12_can_move_more_bytes_than_cc10) {
  // Pairs of lanes at the two ends of a segment: 8 x 128 bytes instead of 16 x 32.
  const auto ends = [](unsigned lane) { return block + lane / 2 * 128 + lane % 2 * 124; };
  EXPECT_EQ(sizes("cc12", 4, ends), Sizes(8, 128));
  EXPECT_EQ(sizes("cc10", 4, ends), Sizes(16, 32));
}

}  // namespace
}  // namespace teslasim
