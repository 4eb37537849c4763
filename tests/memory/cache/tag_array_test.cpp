// SPDX-License-Identifier: Apache-2.0
// Datasheet of tag arrays and replacement policies.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <vector>

#include "memory/cache/tag_array.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr CacheGeometry constant_l1{2048, 4, 64};

TEST(TagArray, geometry) {
  EXPECT_EQ(constant_l1.sets(), 8U);
  EXPECT_TRUE(constant_l1.whole());
  EXPECT_EQ((CacheGeometry{5120, 20, 32}.sets()), 8U);
  EXPECT_FALSE((CacheGeometry{2048, 4, 48}.whole())) << "lines are powers of two";
  EXPECT_FALSE((CacheGeometry{2000, 4, 64}.whole())) << "a set would be cut";
  EXPECT_FALSE((CacheGeometry{128, 4, 64}.whole())) << "less than one set";
}

TEST(TagArray, a_line_is_there_after_it_was_filled) {
  TagArray tags(constant_l1, "lru");
  EXPECT_FALSE(tags.use(0x1000));
  EXPECT_EQ(tags.fill(0x1010), std::nullopt);
  EXPECT_TRUE(tags.use(0x1000));
  EXPECT_TRUE(tags.contains(0x103f));
  EXPECT_FALSE(tags.contains(0x1040));
  EXPECT_FALSE(tags.contains(0xfff));
  EXPECT_EQ(tags.fill(0x1000), std::nullopt) << "a second fill of the same line changes nothing";
  EXPECT_EQ(tags.size(), 1U);
}

TEST(TagArray, lines_that_are_sets_times_line_apart_share_a_set) {
  TagArray tags(constant_l1, "lru");
  for (Address i = 0; i < 4; ++i) EXPECT_EQ(tags.fill(i * 512), std::nullopt);
  EXPECT_EQ(tags.fill(64), std::nullopt) << "the next set is empty";
  EXPECT_EQ(tags.fill(4 * 512), 0U) << "the fifth line of a set of four evicts the first";
}

TEST(TagArray, policies_choose_who_leaves) {
  const auto evicted_after_use_of_first = [](const char* policy) {
    TagArray tags(constant_l1, policy);
    for (Address i = 0; i < 4; ++i) tags.fill(i * 512);
    tags.use(0);
    return *tags.fill(4 * 512);
  };
  EXPECT_EQ(evicted_after_use_of_first("lru"), 512U);
  EXPECT_EQ(evicted_after_use_of_first("fifo"), 0U);
  EXPECT_EQ(evicted_after_use_of_first("random") % 512, 0U);
  EXPECT_THROW(TagArray(constant_l1, "clairvoyant"), InternalError);
}

TEST(TagArray, random_replacement_repeats_after_clear) {
  TagArray tags(constant_l1, "random");
  const auto run = [&] {
    std::vector<Address> evicted;
    for (Address i = 0; i < 64; ++i) {
      if (const auto line = tags.fill(i * 512)) evicted.push_back(*line);
    }
    return evicted;
  };
  const auto first = run();
  tags.clear();
  EXPECT_EQ(run(), first);
  EXPECT_EQ(first.size(), 60U);
}

TEST(TagArray, an_invalidated_line_leaves_its_way_free) {
  TagArray tags(constant_l1, "lru");
  for (Address i = 0; i < 4; ++i) tags.fill(i * 512);
  EXPECT_TRUE(tags.invalidate(512));
  EXPECT_FALSE(tags.invalidate(512));
  EXPECT_EQ(tags.fill(4 * 512), std::nullopt);
  EXPECT_TRUE(tags.contains(0));
}

/// A loop over one line more than fits misses always with LRU: the sharp step of the plateau curves.
TEST(TagArray, a_cyclic_walk_hits_always_up_to_the_capacity_and_beyond_it_never) {
  for (const unsigned kilobytes : {1U, 2U, 4U}) {
    TagArray tags(constant_l1, "lru");
    unsigned hits = 0;
    const auto walk = [&] {
      hits = 0;
      for (Address address = 0; address < kilobytes * 1024; address += 64) {
        hits += tags.use(address) ? 1 : 0;
        tags.fill(address);
      }
    };
    walk();
    EXPECT_EQ(hits, 0U) << "cold";
    walk();
    EXPECT_EQ(hits, kilobytes <= 2 ? kilobytes * 16 : 0U);
  }
}

/// Against a list per set, most recent first, for any geometry and any sequence.
RC_GTEST_PROP(TagArray, lru_behaves_as_a_list_per_set, ()) {
  const unsigned ways = *rc::gen::inRange(1U, 9U);
  const unsigned sets = *rc::gen::inRange(1U, 12U);
  const unsigned line = 1U << *rc::gen::inRange(2U, 9U);
  TagArray tags({sets * ways * line, ways, line}, "lru");
  std::map<unsigned, std::list<Address>> model;
  const auto addresses =
      *rc::gen::container<std::vector<Address>>(rc::gen::inRange<Address>(0, 4 * sets * ways * line));
  for (const Address address : addresses) {
    const Address number = address / line;
    auto& set = model[number % sets];
    const auto found = std::find(set.begin(), set.end(), number);
    RC_ASSERT(tags.use(address) == (found != set.end()));
    if (found != set.end()) {
      set.splice(set.begin(), set, found);
      continue;
    }
    const auto evicted = tags.fill(address);
    set.push_front(number);
    RC_ASSERT(evicted.has_value() == (set.size() > ways));
    if (set.size() > ways) {
      RC_ASSERT(*evicted == set.back() * line);
      set.pop_back();
    }
  }
}

}  // namespace
}  // namespace teslasim
