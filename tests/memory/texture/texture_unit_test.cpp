// SPDX-License-Identifier: Apache-2.0
// The texture unit of a TPC, as a data sheet would give it. Core clock of 1 ns; an address stage of 5 ns, a filter of
// 7 ns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

#include "memory/image/memory_access.h"
#include "memory/texture/texture_unit.h"
#include "sim/base/diagnostic.h"
#include "tests/support/volume.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Femtoseconds ns = 1'000'000;

TpcSpec small_unit() {
  TpcSpec tpc;
  tpc.texture.address_units = 4;
  tpc.texture.filter_units = 8;
  tpc.texture.lines_per_cycle = 2;
  tpc.texture.queue = 8;
  tpc.texture.address_ns = 5;
  tpc.texture.filter_ns = 7;
  tpc.texture_cache.bytes_per_sm = 1024;  // 4 sets of 8 ways, 6 for linear images
  tpc.texture_cache.ways = 8;
  tpc.texture_cache.linear_ways = 6;
  tpc.texture_cache.misses = 8;
  return tpc;
}

/// A texture unit with 2 SMs; lines come `line_latency` after they were asked for.
class Bench {
 public:
  explicit Bench(const TpcSpec& tpc = small_unit()) : path({1, 2, ns, ns}, tpc, {}, {}), unit(path) {
    unit.begin_launch(nullptr);
  }

  /// A half-warp whose lane i reads the texel at address[i]; further texels per lane lie `texel_step` apart.
  void ask(std::vector<Address> address, unsigned tag, unsigned sm = 0, unsigned texels = 1, bool linear = true) {
    auto texture = std::make_unique<TextureAccess>();
    texture->texels = static_cast<std::uint8_t>(texels);
    texture->linear = linear;
    auto access = std::make_unique<MemoryAccess>();
    access->texture = texture.get();
    MemoryTransaction request;
    for (std::size_t lane = 0; lane < address.size(); ++lane) {
      request.lanes |= LaneMask{1} << lane;
      for (unsigned texel = 0; texel < texels; ++texel) texture->address[texel][lane] = address[lane] + texel * 4;
    }
    request.access = access.get();
    request.tag = static_cast<std::uint16_t>(tag);
    request.sm = static_cast<std::uint16_t>(sm);
    request.texture = true;
    waiting.push_back(request);
    textures.push_back(std::move(texture));
    accesses.push_back(std::move(access));
  }

  /// Works until everything has been answered.
  void run() {
    while (!waiting.empty() || unit.busy()) {
      step();
      ASSERT_LT(now, 10'000'000 * ns) << "stuck";
    }
  }

  void step() {
    for (; !lines.empty() && lines.front().when <= now; lines.pop_front()) unit.fill(lines.front(), now);
    if (!waiting.empty() && unit.accepts(now)) {
      unit.start(waiting.front(), waiting.front().sm, now);
      waiting.pop_front();
    }
    unit.work(now);
    for (; unit.misses().ready(now); unit.pop_miss()) {
      MemoryTransaction line = unit.misses().front();
      asked.push_back(line.address);
      line.when = now + line_latency;
      lines.push_back(line);
    }
    for (; unit.replies().ready(now); unit.pop_reply()) {
      replies.emplace_back(unit.replies().front().tag, now / ns);
    }
    now += ns;
  }

  [[nodiscard]] std::vector<unsigned> tags() const {
    std::vector<unsigned> result;
    for (const auto& [tag, when] : replies) result.push_back(tag);
    return result;
  }

  MemoryPath path;
  TextureUnit unit;
  std::deque<MemoryTransaction> waiting, lines;
  std::vector<Address> asked;
  std::vector<std::pair<unsigned, Femtoseconds>> replies;  ///< tag, time in ns
  Femtoseconds line_latency = 100 * ns;
  Femtoseconds now = 0;

 private:
  std::vector<std::unique_ptr<TextureAccess>> textures;
  std::vector<std::unique_ptr<MemoryAccess>> accesses;
};

std::vector<Address> one(Address address) {
  return {address};
}

/// 16 lanes, `stride` bytes apart.
std::vector<Address> half_warp(Address first, Address stride) {
  std::vector<Address> address;
  for (unsigned lane = 0; lane < 16; ++lane) address.push_back(first + lane * stride);
  return address;
}

/// Brings the line of `address` into the cache of `sm`.
void warm(Bench& bench, const std::vector<Address>& address, unsigned sm = 0, bool linear = true) {
  bench.ask(address, 99, sm, 1, linear);
  bench.run();
  bench.replies.clear();
  bench.asked.clear();
}

TEST(TextureUnit, a_hit_takes_address_and_filter_stage) {
  Bench bench;
  warm(bench, one(64));
  const Femtoseconds begin = bench.now / ns;
  bench.ask(one(68), 1);
  bench.run();
  EXPECT_THAT(bench.replies, ElementsAre(std::pair{1U, begin + 5 + 1 + 7})) << "one cycle in the filter";
  EXPECT_EQ(bench.unit.statistics().l1.hits, 1U);
  EXPECT_TRUE(bench.asked.empty());
}

TEST(TextureUnit, a_miss_asks_for_the_line_after_the_address_stage) {
  Bench bench;
  bench.ask(one(64 + 12), 1);
  bench.run();
  EXPECT_THAT(bench.asked, ElementsAre(64U));
  EXPECT_THAT(bench.replies, ElementsAre(std::pair{1U, Femtoseconds{5 + 100 + 1 + 7}}));
  EXPECT_EQ(bench.unit.statistics().l1.misses, 1U);
  EXPECT_EQ(bench.unit.statistics().line_requests, 1U);
  EXPECT_EQ(bench.unit.statistics().line_replies, 1U);
}

TEST(TextureUnit, replies_come_in_order_and_hits_are_held_back) {
  Bench bench;
  warm(bench, one(64));
  const Femtoseconds begin = bench.now / ns;
  bench.ask(one(4096), 1);     // misses
  bench.ask(one(64), 2, 0);    // hits
  bench.ask(one(8192), 3, 1);  // misses, another SM
  bench.ask(one(64), 4, 0);
  bench.run();
  EXPECT_THAT(bench.tags(), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(bench.replies[0].second, begin + 113);
  EXPECT_EQ(bench.replies[1].second, begin + 114) << "one filter cycle after the one before";
  EXPECT_EQ(bench.replies[2].second, begin + 115);
  EXPECT_EQ(bench.unit.statistics().held_back_cycles, (105U + 1 - 6) + 0 + (105U + 3 - 8));
}

TEST(TextureUnit, reads_of_one_line_merge_while_it_is_under_way) {
  Bench bench;
  for (unsigned i = 0; i < 4; ++i) bench.ask(one(64 + 4 * i), i);
  bench.run();
  EXPECT_THAT(bench.asked, ElementsAre(64U));
  EXPECT_EQ(bench.unit.statistics().l1.merged, 3U);
  EXPECT_EQ(bench.unit.statistics().l1.fills, 1U);
  EXPECT_THAT(bench.tags(), ElementsAre(0, 1, 2, 3));
}

TEST(TextureUnit, shares_of_the_sms_are_caches_of_their_own) {
  Bench bench;
  warm(bench, one(64), 0);
  bench.ask(one(64), 1, 1);
  bench.run();
  EXPECT_THAT(bench.asked, ElementsAre(64U)) << "SM 1 does not see the line of SM 0";
  EXPECT_EQ(bench.unit.cache_statistics(0).misses, 1U);
  EXPECT_EQ(bench.unit.cache_statistics(1).misses, 1U);
}

TEST(TextureUnit, sms_that_miss_on_a_line_under_way_share_one_request) {
  Bench bench;
  bench.ask(one(64), 1, 0);
  bench.ask(one(68), 2, 1);
  bench.run();
  EXPECT_THAT(bench.asked, ElementsAre(64U));
  bench.ask(one(64), 3, 0);
  bench.ask(one(64), 4, 1);
  bench.run();
  EXPECT_THAT(bench.asked, ElementsAre(64U)) << "both shares have got it";
  EXPECT_EQ(bench.unit.cache_statistics(1).hits, 1U);
}

/// Hits of a second walk over `lines` lines, `stride` bytes apart.
std::uint64_t second_walk_hits(unsigned lines, Address stride, bool linear) {
  Bench bench;
  for (unsigned walk = 0; walk < 2; ++walk) {
    for (unsigned i = 0; i < lines; ++i) {
      bench.ask(one(i * stride), i, 0, 1, linear);
      bench.run();  // one after the other: a line takes its place when it comes
    }
  }
  return bench.unit.statistics().l1.hits;
}

TEST(TextureUnit, linear_images_use_their_part_of_the_ways) {
  EXPECT_EQ(second_walk_hits(24, 32, true), 24U) << "4 sets x 6 ways";
  EXPECT_LT(second_walk_hits(25, 32, true), 25U);
  EXPECT_EQ(second_walk_hits(32, 32, false), 32U) << "tiled images: all 8 ways";
  EXPECT_LT(second_walk_hits(33, 32, false), 33U);
}

TEST(TextureUnit, lines_of_one_set_leave_in_order_of_use) {
  EXPECT_EQ(second_walk_hits(6, 128, true), 6U) << "line number mod 4: one set";
  EXPECT_EQ(second_walk_hits(7, 128, true), 0U) << "each line leaves before it is used again";
}

struct Rate {
  unsigned lanes, texels, lines;
  Femtoseconds cycles;  ///< between two such half-warps
};

void PrintTo(const Rate& rate, std::ostream* out) {
  *out << rate.cycles << " cycles";
}

class TextureUnitRate : public ::testing::TestWithParam<Rate> {};

TEST_P(TextureUnitRate, half_warps_follow_each_other) {
  const Rate rate = GetParam();
  Bench bench;
  std::vector<Address> address;
  for (unsigned lane = 0; lane < rate.lanes; ++lane) address.push_back(lane % rate.lines * 32);
  warm(bench, address);
  for (unsigned i = 0; i < 6; ++i) bench.ask(address, i, 0, rate.texels);
  bench.run();
  EXPECT_EQ(bench.replies[5].second - bench.replies[4].second, rate.cycles);
  EXPECT_EQ(bench.replies[4].second - bench.replies[3].second, rate.cycles);
}

// 4 address units, 8 filters, 2 lines per cycle.
INSTANTIATE_TEST_SUITE_P(datasheet, TextureUnitRate,
                         ::testing::Values(Rate{16, 1, 1, 4},    // four groups of four lanes, one per cycle
                                           Rate{4, 1, 1, 1},     // one group
                                           Rate{1, 1, 1, 1},     // one lane costs its group
                                           Rate{16, 4, 1, 4},    // bilinear: 2 cycles of filtering, 4 of addresses
                                           Rate{16, 8, 1, 4},    // trilinear: 4 and 4
                                           Rate{16, 1, 12, 6}),  // 12 lines, 2 per cycle
                         [](const auto& row) {
                           return std::to_string(row.param.lanes) + "_lanes_" + std::to_string(row.param.texels) +
                                  "_texels_" + std::to_string(row.param.lines) + "_lines";
                         });

TEST(TextureUnit, trilinear_samples_take_the_filter_twice) {
  TpcSpec tpc = small_unit();
  tpc.texture.address_units = 16;
  for (const unsigned texels : {1U, 2U, 4U, 8U}) {
    Bench bench(tpc);
    warm(bench, half_warp(0, 0));
    for (unsigned i = 0; i < 4; ++i) bench.ask(half_warp(0, 0), i, 0, texels);
    bench.run();
    EXPECT_EQ(bench.replies[3].second - bench.replies[2].second, texels == 8 ? 4U : 2U) << texels << " texels";
  }
}

TEST(TextureUnit, a_full_queue_takes_nothing_until_the_oldest_is_answered) {
  Bench bench;
  for (unsigned i = 0; i < 9; ++i) bench.ask(one(4096 * i), i);
  for (unsigned i = 0; i < 50; ++i) bench.step();
  EXPECT_EQ(bench.waiting.size(), 1U) << "eight places";
  EXPECT_EQ(bench.unit.free_from(), never);
  bench.run();
  EXPECT_EQ(bench.replies.size(), 9U);
}

TEST(TextureUnit, more_misses_than_places_wait_for_lines) {
  TpcSpec tpc = small_unit();
  tpc.texture_cache.misses = 3;
  Bench bench(tpc);
  bench.ask(half_warp(0, 32), 1);
  for (unsigned i = 0; i < 50; ++i) bench.step();
  EXPECT_EQ(bench.asked.size(), 3U);
  std::vector<std::string> lines;
  bench.unit.describe_pending(lines);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("1 texture requests, 3 lines under way, no place for another")));
  bench.run();
  EXPECT_EQ(bench.asked.size(), 16U);
  EXPECT_THAT(bench.tags(), ElementsAre(1));
}

TEST(TextureUnit, a_request_without_room_is_an_error_of_the_sender) {
  Bench bench;
  bench.ask(one(0), 1);
  bench.unit.start(bench.waiting.front(), 0, 0);
  EXPECT_THROW(bench.unit.start(bench.waiting.front(), 0, 0), InternalError);
}

/// Whatever is asked: each half-warp is answered once, in order, lines are asked for and come as often, nothing is held
/// at the end.
TEST(TextureUnit, a_million_random_lookups_lose_and_reorder_nothing) {
  Bench bench;
  std::mt19937 random(5);
  constexpr unsigned half_warps = test::volume(70'000U, 7'000U);
  std::uint64_t lanes = 0;
  unsigned sent = 0;
  while (bench.replies.size() < half_warps) {
    while (sent < half_warps && bench.waiting.size() < 4) {
      std::vector<Address> address(1 + random() % 16);
      const Address spread = 1U << (8 + random() % 8);
      for (Address& a : address) a = static_cast<Address>(random()) % spread / 4 * 4;
      lanes += address.size();
      const unsigned texels = 1U << random() % 4;
      lanes += (texels - 1) * address.size();
      bench.ask(address, sent++ & 0xffffU, random() % 2, texels, random() % 4 != 0);
    }
    if (random() % 16 == 0) bench.line_latency = (20 + 30 * (bench.now / ns / 1000 % 4)) * ns;
    if (!bench.lines.empty()) bench.line_latency = std::max(bench.line_latency, bench.lines.back().when - bench.now);
    bench.step();
    ASSERT_LT(bench.now, 60'000'000 * ns) << "stuck";
  }
  EXPECT_GT(lanes, half_warps / 7 * 100);
  for (unsigned i = 0; i < half_warps; ++i) ASSERT_EQ(bench.replies[i].first, i & 0xffffU);
  const TextureStatistics counted = bench.unit.statistics();
  EXPECT_EQ(counted.requests, half_warps);
  EXPECT_EQ(counted.replies, half_warps);
  EXPECT_EQ(counted.l1.accesses, counted.l1.hits + counted.l1.misses);
  EXPECT_EQ(counted.l1.misses, counted.l1.merged + counted.l1.fills);
  EXPECT_EQ(counted.line_requests, counted.l1.fills);
  EXPECT_EQ(counted.line_replies, counted.line_requests);
  EXPECT_GT(counted.l1.hits, half_warps / 7 * 10);
  EXPECT_FALSE(bench.unit.busy());
}

}  // namespace
}  // namespace teslasim
