// SPDX-License-Identifier: Apache-2.0
// Datasheet of bank conflicts: passes over shared and constant memory by pencil.
#include "sim/exec/conflict_degree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

namespace teslasim {
namespace {

constexpr unsigned half_warp = 16, banks = 16;

OnChipAccess access(const std::function<std::uint32_t(unsigned)>& address, LaneMask lanes = all_lanes,
                    std::uint8_t bytes = 4) {
  OnChipAccess result;
  result.lanes = lanes;
  result.bytes = bytes;
  result.uniform = false;
  for (unsigned lane = 0; lane < warp_size; ++lane) result.address[lane] = address(lane);
  return result;
}

TEST(SharedPasses, a_stride_conflicts_as_often_as_it_divides_the_banks) {
  for (unsigned stride = 1; stride <= 32; ++stride) {
    const OnChipAccess strided = access([&](unsigned lane) { return 4 * stride * lane; });
    EXPECT_EQ(shared_passes(strided, 0, half_warp, banks), std::gcd(stride, banks)) << stride;
    EXPECT_EQ(shared_passes(strided, 16, half_warp, banks), std::gcd(stride, banks)) << stride;
  }
}

TEST(SharedPasses, a_broadcast_takes_one_pass) {
  OnChipAccess same = access([](unsigned) { return 64U; });
  EXPECT_EQ(shared_passes(same, 0, half_warp, banks), 1U);
  same.uniform = true;
  EXPECT_EQ(shared_passes(same, 0, half_warp, banks), 1U);
}

TEST(SharedPasses, one_word_is_broadcast_per_pass_and_other_banks_serve_one_lane) {
  // Lanes 0-7 read word 0, lanes 8-15 words 1-8: all in one pass.
  EXPECT_EQ(shared_passes(access([](unsigned lane) { return lane < 8 ? 0 : 4 * (lane - 7); }), 0, half_warp, banks),
            1U);
  // Two words of eight lanes each, in different banks: the second word needs a broadcast of its own.
  EXPECT_EQ(shared_passes(access([](unsigned lane) { return lane < 8 ? 0U : 4U; }), 0, half_warp, banks), 2U);
  // The same in one bank.
  EXPECT_EQ(shared_passes(access([](unsigned lane) { return lane < 8 ? 0U : 64U; }), 0, half_warp, banks), 2U);
  // Lane 0 alone in bank 0, fifteen lanes at different words of bank 1.
  EXPECT_EQ(shared_passes(access([](unsigned lane) { return lane == 0 ? 0 : 4 + 64 * lane; }), 0, half_warp, banks),
            15U);
}

TEST(SharedPasses, consecutive_bytes_and_half_words_share_words) {
  EXPECT_EQ(shared_passes(access([](unsigned lane) { return lane; }, all_lanes, 1), 0, half_warp, banks), 4U);
  EXPECT_EQ(shared_passes(access([](unsigned lane) { return 2 * lane; }, all_lanes, 2), 0, half_warp, banks), 2U);
}

TEST(SharedPasses, only_lanes_that_take_part_count) {
  const auto stride_16 = [](unsigned lane) { return 64 * lane; };
  EXPECT_EQ(shared_passes(access(stride_16, 0x0000000f), 0, half_warp, banks), 4U);
  EXPECT_EQ(shared_passes(access(stride_16, 0x0000000f), 16, half_warp, banks), 0U);
  EXPECT_EQ(shared_passes(access(stride_16, 0x00010000), 16, half_warp, banks), 1U);
  EXPECT_EQ(shared_passes(access(stride_16), 0, 32, 32), 16U);  // other groups and numbers of banks
}

RC_GTEST_PROP(SharedPasses, lie_between_the_fullest_bank_and_the_number_of_lanes, (std::vector<std::uint8_t> words)) {
  words.resize(half_warp);
  const OnChipAccess random = access([&](unsigned lane) { return 4U * (words[lane % half_warp] % 64U); });
  std::array<std::set<std::uint32_t>, banks> in_bank;
  for (unsigned lane = 0; lane < half_warp; ++lane)
    in_bank[random.address[lane] / 4 % banks].insert(random.address[lane]);
  std::size_t fullest = 0;
  for (const auto& bank : in_bank) fullest = std::max(fullest, bank.size());
  const unsigned passes = shared_passes(random, 0, half_warp, banks);
  RC_ASSERT(passes >= fullest);
  RC_ASSERT(passes <= half_warp);
}

TEST(LaneShapes, are_those_of_each_half_warp) {
  OnChipAccess halves = access([](unsigned lane) { return lane < half_warp ? 8U : 4U * (lane - half_warp); });
  halves.find_shapes();
  EXPECT_EQ(halves.half[0], LaneShape::one_address);
  EXPECT_EQ(halves.half[1], LaneShape::consecutive);
  EXPECT_FALSE(halves.uniform);
  OnChipAccess scattered = access([](unsigned lane) { return lane == 7 ? 4U : 4U * lane; });
  scattered.find_shapes();
  EXPECT_EQ(scattered.half[0], LaneShape::other);
  EXPECT_EQ(scattered.half[1], LaneShape::consecutive);
  OnChipAccess bytes = access([](unsigned lane) { return lane; }, all_lanes, 1);
  bytes.find_shapes();
  EXPECT_EQ(bytes.half[0], LaneShape::other);  // words only
  OnChipAccess one = access([](unsigned) { return 12U; });
  one.find_shapes();
  EXPECT_TRUE(one.uniform);
}

std::vector<std::uint64_t> words_by_bank(const OnChipAccess& access, unsigned of_banks) {
  BankAccesses used;
  used.banks = of_banks;
  (void)shared_passes(access, 0, half_warp, of_banks, &used);
  std::vector<std::uint64_t> words;
  for (unsigned bank = 0; bank < of_banks; ++bank) words.push_back(used.of(bank));
  return words;
}

TEST(BankAccesses, each_bank_serves_one_word_per_pass) {
  EXPECT_EQ(words_by_bank(access([](unsigned lane) { return 4 * lane; }), banks), std::vector<std::uint64_t>(16, 1));
  std::vector<std::uint64_t> first(16), even(16), two(16);
  first[0] = 16;
  EXPECT_EQ(words_by_bank(access([](unsigned lane) { return 64 * lane; }), banks), first);
  for (unsigned bank = 0; bank < 16; bank += 2) even[bank] = 2;
  EXPECT_EQ(words_by_bank(access([](unsigned lane) { return 8 * lane; }), banks), even);
  two[3] = 1;  // a broadcast, also when the access is known to be one
  OnChipAccess same = access([](unsigned) { return 12U; });
  EXPECT_EQ(words_by_bank(same, banks), two);
  same.uniform = true;
  EXPECT_EQ(words_by_bank(same, banks), two);
}

TEST(BankAccesses, consecutive_words_wrap_around_at_any_number_of_banks) {
  for (const unsigned of_banks : {17U, 32U, 48U, 64U}) {
    for (const unsigned start : {0U, 5U, of_banks - 1, 3 * of_banks + 2}) {
      std::vector<std::uint64_t> expected(of_banks);
      for (unsigned lane = 0; lane < half_warp; ++lane) ++expected[(start + lane) % of_banks];
      EXPECT_EQ(words_by_bank(access([&](unsigned lane) { return 4 * (start + lane); }), of_banks), expected)
          << of_banks << ' ' << start;
    }
  }
}

RC_GTEST_PROP(BankAccesses, close_with_passes_and_lanes, (std::vector<std::uint8_t> words)) {
  words.resize(half_warp);
  const OnChipAccess random = access([&](unsigned lane) { return 4U * (words[lane % half_warp] % 40); });
  const std::vector<std::uint64_t> used = words_by_bank(random, banks);
  const unsigned passes = shared_passes(random, 0, half_warp, banks);
  std::vector<std::set<std::uint32_t>> different(banks);
  for (const std::uint8_t word : words) different[word % 40 % banks].insert(word % 40);
  std::uint64_t all = 0;
  for (unsigned bank = 0; bank < banks; ++bank) {
    RC_ASSERT(used[bank] >= different[bank].size() && used[bank] <= passes);
    all += used[bank];
  }
  RC_ASSERT(all >= passes && all <= half_warp);
}

TEST(ConstantPasses, are_the_number_of_different_words) {
  EXPECT_EQ(constant_passes(access([](unsigned) { return 8U; }), 0, half_warp), 1U);
  EXPECT_EQ(constant_passes(access([](unsigned lane) { return 4 * lane; }), 0, half_warp), 16U);
  EXPECT_EQ(constant_passes(access([](unsigned lane) { return 4 * (lane % 3); }), 16, half_warp), 3U);
  EXPECT_EQ(constant_passes(access([](unsigned lane) { return lane; }, all_lanes, 1), 0, half_warp), 4U);
  EXPECT_EQ(constant_passes(access([](unsigned lane) { return lane; }, 0x10), 0, half_warp), 1U);
}

/// Base and step of each half-warp, and one lane that may be somewhere else.
RC_GTEST_PROP(LaneShapes, change_neither_passes_nor_banks, (LaneMask lanes, std::uint8_t base, bool stray)) {
  const unsigned step = *rc::gen::element(0U, 4U, 8U, 64U);
  const unsigned lost = *rc::gen::inRange(0U, warp_size);
  OnChipAccess plain = access(
      [&](unsigned lane) { return 4U * base + (stray && lane == lost ? 4U * 21U : step * (lane % half_warp)); }, lanes);
  OnChipAccess known = plain;
  known.find_shapes();
  known.uniform = false;
  const unsigned of_banks = *rc::gen::element(8U, 16U, 32U, 64U);
  for (const unsigned first : {0U, half_warp}) {
    BankAccesses plain_banks{.banks = of_banks}, known_banks{.banks = of_banks};
    RC_ASSERT(shared_passes(plain, first, half_warp, of_banks, &plain_banks) ==
              shared_passes(known, first, half_warp, of_banks, &known_banks));
    for (unsigned bank = 0; bank < of_banks; ++bank) RC_ASSERT(plain_banks.of(bank) == known_banks.of(bank));
  }
}

/// Lanes that do not take part, other groups than half-warps and other shapes are left to shared_passes.
RC_GTEST_PROP(OnePassEach, is_what_both_half_warps_come_to, (std::uint8_t first, std::uint8_t second, bool stray)) {
  const std::array<unsigned, 2> step{*rc::gen::element(0U, 4U), *rc::gen::element(0U, 4U)};
  OnChipAccess common = access([&](unsigned lane) {
    const unsigned half = lane / half_warp;
    return 4U * (half == 0 ? first : second) + step[half] * (lane % half_warp);
  });
  if (stray) common.address[21] += 64;
  common.find_shapes();
  const unsigned of_banks = *rc::gen::element(16U, 17U, 32U, 64U);
  BankAccesses at_once{.banks = of_banks}, one_by_one{.banks = of_banks};
  RC_ASSERT(one_pass_each(common, half_warp, of_banks, &at_once) != stray);
  if (stray) return;
  for (const unsigned lane : {0U, half_warp}) {
    RC_ASSERT(shared_passes(common, lane, half_warp, of_banks, &one_by_one) == 1);
  }
  for (unsigned bank = 0; bank < of_banks; ++bank) RC_ASSERT(at_once.of(bank) == one_by_one.of(bank));
  common.lanes = 0x7fffffff;
  RC_ASSERT(!one_pass_each(common, half_warp, of_banks, nullptr));
}

}  // namespace
}  // namespace teslasim
