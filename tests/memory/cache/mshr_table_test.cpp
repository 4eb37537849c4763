// SPDX-License-Identifier: Apache-2.0
// Datasheet of the table of outstanding lines and of the read-only cache made with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

#include "memory/cache/mshr_table.h"
#include "memory/cache/read_cache.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using Table = MshrTable<int>;

std::vector<int> released(Table& table, Address line) {
  std::vector<int> waiters;
  table.release(line, [&](int waiter) { waiters.push_back(waiter); });
  return waiters;
}

TEST(MshrTable, one_entry_per_line_with_waiters_in_order) {
  Table table(2, 8);
  EXPECT_EQ(table.add(0x100, 1), Table::Outcome::started);
  EXPECT_EQ(table.add(0x200, 2), Table::Outcome::started);
  EXPECT_EQ(table.add(0x100, 3), Table::Outcome::merged);
  EXPECT_EQ(table.lines(), 2U);
  EXPECT_EQ(table.waiting(), 3U);
  EXPECT_THAT(released(table, 0x100), ElementsAre(1, 3));
  EXPECT_FALSE(table.contains(0x100));
  EXPECT_THAT(released(table, 0x200), ElementsAre(2));
  EXPECT_TRUE(table.empty());
}

TEST(MshrTable, refuses_a_line_too_many_but_still_merges) {
  Table table(1, 8);
  table.add(0x100, 1);
  EXPECT_EQ(table.add(0x200, 2), Table::Outcome::refused);
  EXPECT_EQ(table.add(0x100, 2), Table::Outcome::merged);
}

TEST(MshrTable, refuses_a_waiter_too_many) {
  Table table(4, 2);
  table.add(0x100, 1);
  table.add(0x100, 2);
  EXPECT_EQ(table.add(0x100, 3), Table::Outcome::refused);
  EXPECT_EQ(table.add(0x200, 3), Table::Outcome::refused);
  EXPECT_FALSE(table.contains(0x200)) << "a refused line leaves no entry behind";
  released(table, 0x100);
  EXPECT_EQ(table.add(0x200, 3), Table::Outcome::started);
}

TEST(MshrTable, a_line_that_nobody_waits_for_is_a_mistake) {
  Table table(1, 1);
  EXPECT_THROW(released(table, 0x100), InternalError);
}

RC_GTEST_PROP(MshrTable, nothing_is_lost_or_answered_twice, ()) {
  Table table(3, 6);
  std::map<Address, std::vector<int>> model;
  int next = 0;
  for (const bool add : *rc::gen::arbitrary<std::vector<bool>>()) {
    const Address line = *rc::gen::element<Address>(0, 64, 128, 192);
    if (add) {
      const auto outcome = table.add(line, next);
      if (outcome != Table::Outcome::refused) model[line].push_back(next++);
      RC_ASSERT((outcome == Table::Outcome::started) ==
                (model.count(line) != 0 && model[line].size() == 1 && outcome != Table::Outcome::refused));
    } else if (model.count(line) != 0) {
      RC_ASSERT(released(table, line) == model[line]);
      model.erase(line);
    }
    RC_ASSERT(table.lines() == model.size());
  }
}

using Cache = ReadCache<int>;

TEST(ReadCache, hits_and_misses_sum_to_accesses_and_refusals_are_not_counted) {
  Cache cache({256, 1, 64}, "lru", 1, 4);
  EXPECT_EQ(cache.read(0, 1), Cache::Result::miss);
  EXPECT_EQ(cache.read(4, 2), Cache::Result::merged);
  EXPECT_EQ(cache.read(64, 3), Cache::Result::refused);
  std::vector<int> waiters;
  cache.fill(0, [&](int waiter) { waiters.push_back(waiter); });
  EXPECT_THAT(waiters, ElementsAre(1, 2));
  EXPECT_EQ(cache.read(60, 3), Cache::Result::hit);
  EXPECT_EQ(cache.statistics(), (CacheStatistics{3, 1, 2, 1, 1}));
}

TEST(ReadCache, a_line_takes_its_place_when_it_comes) {
  Cache cache({64, 1, 64}, "lru", 2, 2);
  cache.read(0, 1);
  cache.fill(0, [](int) {});
  EXPECT_EQ(cache.read(64, 2), Cache::Result::miss);
  EXPECT_EQ(cache.read(0, 3), Cache::Result::hit) << "line 1 is still under way";
  cache.fill(64, [](int) {});
  EXPECT_EQ(cache.read(0, 3), Cache::Result::miss);
}

RC_GTEST_PROP(ReadCache, counts_add_up, ()) {
  Cache cache({512, 2, 32}, "fifo", 4, 8);
  std::uint64_t asked = 0;
  for (const Address address : *rc::gen::container<std::vector<Address>>(rc::gen::inRange<Address>(0, 4096))) {
    const auto result = cache.read(address, 0);
    asked += result == Cache::Result::refused ? 0 : 1;
    if (result == Cache::Result::miss && address % 3 == 0) cache.fill(address, [](int) {});
  }
  const CacheStatistics& counts = cache.statistics();
  RC_ASSERT(counts.accesses == asked);
  RC_ASSERT(counts.hits + counts.misses == counts.accesses);
  RC_ASSERT(counts.misses - counts.merged == counts.fills + cache.outstanding().lines());
}

}  // namespace
}  // namespace teslasim
