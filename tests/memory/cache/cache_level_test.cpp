// SPDX-License-Identifier: Apache-2.0
// Datasheet of the shared cache levels and of the port to memory, without SystemC.
#include "memory/cache/cache_level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "memory/cache/line_reader.h"
#include "memory/crossbar/crossbar_network.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;

constexpr Femtoseconds ns = 1'000'000;

struct LineList final : LineReceiver {
  void receive_line(unsigned port, const LineRequest& line) override {
    ports.push_back(port);
    lines.push_back(line);
  }
  std::vector<unsigned> ports;
  std::vector<LineRequest> lines;
};

ConstantLevelSpec small_level() {
  ConstantLevelSpec spec;
  spec.bytes = 1024;
  spec.ways = 2;
  spec.misses = 2;
  return spec;
}

/// A level for two clients, clock of 1 ns, 5 ns to clients, 7 ns to the next level, 32 bytes per cycle.
class Level : public ::testing::Test {
 public:
  explicit Level(ConstantLevelSpec spec = small_level()) : level(spec, {2, 4, ns, 5 * ns, 7 * ns, "sm"}) {
    level.connect({&client[0], &client[1]}, next, 3);
  }
  void ask(unsigned who, Address address, Femtoseconds when, unsigned bytes = 64) {
    level.receive_request(who, {when, address, static_cast<std::uint16_t>(bytes), LineKind::constant});
  }
  void run_to(Femtoseconds end) {
    for (; now <= end; now += ns) level.advance(now);
  }
  /// Brings the line of `address` in and forgets all messages.
  void warm(Address address) {
    ask(0, address, now);
    run_to(now);
    level.receive_line(0, {now, address / 256 * 256, 256, LineKind::constant});
    run_to(now + 20 * ns);
    next = {};
    client[0] = {};
  }
  LineList client[2], next;
  CacheLevel level;
  Femtoseconds now = 0;
};

TEST_F(Level, a_hit_takes_the_transfer_and_the_link) {
  warm(0x100);
  const Femtoseconds start = now;
  ask(1, 0x140, start);
  run_to(start);
  ASSERT_EQ(client[1].lines.size(), 1U);
  EXPECT_EQ(client[1].lines[0].when, start + 2 * ns + 5 * ns) << "64 bytes at 32 per cycle, then 5 ns";
  EXPECT_EQ(client[1].lines[0].address, 0x140U);
  EXPECT_EQ(client[1].lines[0].bytes, 64U);
  EXPECT_TRUE(next.lines.empty());
}

TEST_F(Level, a_miss_asks_the_next_level_for_the_whole_line) {
  ask(0, 0x140, 0);
  run_to(0);
  ASSERT_EQ(next.lines.size(), 1U);
  EXPECT_EQ(next.ports[0], 3U);
  EXPECT_EQ(next.lines[0].address, 0x100U);
  EXPECT_EQ(next.lines[0].bytes, 256U);
  EXPECT_EQ(next.lines[0].when, 7 * ns);
  EXPECT_TRUE(client[0].lines.empty());
}

TEST_F(Level, misses_of_both_clients_on_one_line_are_merged) {
  ask(0, 0x100, 0);
  ask(1, 0x1c0, 0);
  run_to(ns);
  EXPECT_EQ(next.lines.size(), 1U);
  level.receive_line(0, {2 * ns, 0x100, 256, LineKind::constant});
  run_to(2 * ns);
  ASSERT_EQ(client[0].lines.size() + client[1].lines.size(), 2U);
  EXPECT_EQ(client[1].lines[0].when - client[0].lines[0].when, 2 * ns) << "one transfer after the other";
  EXPECT_EQ(level.statistics(LineKind::constant), (CacheStatistics{2, 0, 2, 1, 1}));
  EXPECT_TRUE(level.idle());
}

TEST_F(Level, requests_that_hit_pass_one_that_finds_no_place_in_the_table) {
  warm(0);
  const Femtoseconds start = now;
  ask(0, 0x100, start);
  ask(0, 0x200, start);
  ask(0, 0x300, start);
  ask(1, 0x000, start + 4 * ns);
  run_to(start + 10 * ns);
  EXPECT_EQ(next.lines.size(), 2U) << "two misses at most";
  EXPECT_EQ(client[1].lines.size(), 1U);
  level.receive_line(0, {now, 0x100, 256, LineKind::constant});
  run_to(now + 2 * ns);
  EXPECT_EQ(next.lines.size(), 3U);
}

TEST_F(Level, a_level_that_can_only_wait_for_a_line_sleeps) {
  ask(0, 0x100, 0);
  ask(0, 0x200, 0);
  ask(0, 0x300, 0);
  run_to(5 * ns);
  EXPECT_EQ(level.advance(now), never);
}

/// Whatever is asked, everyone gets each line exactly once, in the order of time.
RC_GTEST_PROP(CacheLevel, nothing_is_lost_or_answered_twice, ()) {
  LineList client[2], next;
  CacheLevel level(small_level(), {2, 64, ns, 5 * ns, 7 * ns, "sm"});
  level.connect({&client[0], &client[1]}, next, 0);
  std::map<unsigned, std::multiset<Address>> asked;
  const auto wishes = *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0U, 128U));
  Femtoseconds now = 0;
  std::size_t wish = 0, answered = 0, waited = 0;
  while (wish < std::min<std::size_t>(wishes.size(), 60) || !level.idle()) {
    if (wish < std::min<std::size_t>(wishes.size(), 60)) {
      const unsigned who = wishes[wish] % 2;
      const Address address = wishes[wish] / 2 * 64;
      level.receive_request(who, {now, address, 64, LineKind::constant});
      asked[who].insert(address);
      ++wish;
    }
    level.advance(now);
    if (answered < next.lines.size() && ++waited % 3 == 0) {
      LineRequest line = next.lines[answered++];
      line.when = now + ns;
      level.receive_line(0, line);
    }
    now += ns;
    RC_ASSERT(now < 10'000 * ns);
  }
  for (unsigned who = 0; who < 2; ++who) {
    std::multiset<Address> got;
    Femtoseconds last = 0;
    for (const LineRequest& line : client[who].lines) {
      got.insert(line.address);
      RC_ASSERT(line.when >= last);
      last = line.when;
    }
    RC_ASSERT(got == asked[who]);
  }
}

struct Transactions final : TransactionReceiver {
  void receive(unsigned port, const MemoryTransaction& transaction) override {
    ports.push_back(port);
    all.push_back(transaction);
  }
  std::vector<unsigned> ports;
  std::vector<MemoryTransaction> all;
};

TEST(LineReader, a_line_is_read_with_transactions_of_128_bytes_and_is_complete_with_the_last) {
  FloorPlan plan{2, 2, ns, ns};
  plan.other_clients = 1;
  const MemoryPath path(plan, {}, {}, {});
  Transactions crossbar;
  LineList cache;
  LineReader reader(path, 2, 4);
  reader.connect(crossbar, cache);
  reader.reset();
  reader.receive_request(0, {0, 0xf0000300, 256, LineKind::instruction});
  for (Femtoseconds now = 0; now < 4 * ns; now += ns) reader.advance(now);
  ASSERT_EQ(crossbar.all.size(), 2U);
  EXPECT_EQ(crossbar.all[0].address, 0xf0000300U);
  EXPECT_EQ(crossbar.all[1].address, 0xf0000380U);
  EXPECT_EQ(crossbar.all[0].bytes, 128U);
  EXPECT_EQ(crossbar.all[0].lanes, 0U) << "changes nothing in memory";
  EXPECT_EQ(path.tpc_of(crossbar.all[0].sm), 2U) << "the response finds its way to the client behind the TPCs";
  EXPECT_EQ(crossbar.ports[0], CrossbarNetwork::port(path.map.partition_of(0xf0000300), 2, path.clients()));
  for (MemoryTransaction response : crossbar.all) {
    EXPECT_TRUE(cache.lines.empty());
    response.when = 100 * ns;
    reader.receive_response(0, response);
  }
  reader.advance(100 * ns);
  reader.advance(101 * ns);
  ASSERT_EQ(cache.lines.size(), 1U);
  EXPECT_EQ(cache.lines[0].address, 0xf0000300U);
  EXPECT_EQ(cache.lines[0].when, 101 * ns);
  EXPECT_EQ(reader.sent(), reader.answered());
  EXPECT_EQ(reader.bytes(), 256U);
}

TEST(LineReader, waits_for_room_in_the_crossbar) {
  FloorPlan plan{1, 1, ns, ns};
  plan.other_clients = 1;
  NocSpec noc;
  noc.queue = 1;
  const MemoryPath path(plan, {}, noc, {});
  Transactions crossbar;
  LineList cache;
  LineReader reader(path, 1, 4);
  reader.connect(crossbar, cache);
  reader.reset();
  reader.receive_request(0, {0, 0xf0000300, 256, LineKind::instruction});
  for (Femtoseconds now = 0; now < 10 * ns; now += ns) reader.advance(now);
  EXPECT_EQ(crossbar.all.size(), 1U);
  EXPECT_EQ(reader.credit(path.map.partition_of(0xf0000300), 20 * ns), 20 * ns);
  reader.advance(20 * ns);
  EXPECT_EQ(crossbar.all.size(), 2U);
}

}  // namespace
}  // namespace teslasim
