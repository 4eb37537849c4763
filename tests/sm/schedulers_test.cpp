// SPDX-License-Identifier: Apache-2.0
// Scheduler policies as tables: ready warps in, choice out.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/sm/issue/warp_scheduler.h"

namespace teslasim::testing {
namespace {

struct Row {
  LaneMask ready;
  LaneMask scarce;
  unsigned choice;
};

void expect_choices(WarpScheduler& policy, const std::vector<Row>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(policy.pick({rows[i].ready, rows[i].scarce}), rows[i].choice) << "row " << i;
  }
}

TEST(WarpSchedulers, loose_round_robin_takes_the_next_after_the_last) {
  const auto policy = make_warp_scheduler("loose_round_robin");
  expect_choices(
      *policy, {{0b10110, 0, 1}, {0b10110, 0, 2}, {0b10110, 0b10, 4}, {0b10110, 0, 1}, {1U << 31, 0, 31}, {0b1, 0, 0}});
}

TEST(WarpSchedulers, oldest_takes_the_first_resident) {
  const auto policy = make_warp_scheduler("oldest");
  policy->arrive(4, 4);
  policy->arrive(0, 4);
  expect_choices(*policy, {{0b01100110, 0, 5}, {0b00000110, 0, 1}, {0b01100110, 0, 5}});
  policy->arrive(4, 4);
  expect_choices(*policy, {{0b01100110, 0, 1}});
}

TEST(WarpSchedulers, gto_stays_with_a_warp_until_it_is_not_ready) {
  const auto policy = make_warp_scheduler("gto");
  policy->arrive(4, 4);
  policy->arrive(0, 4);
  expect_choices(*policy, {{0b01100110, 0, 5},
                           {0b11111111, 0, 5},
                           {0b01000111, 0, 6},
                           {0b11111111, 0, 6},
                           {0b00001010, 0, 1},
                           {0b11111010, 0, 1}});
  policy->reset();
  policy->arrive(0, 8);
  expect_choices(*policy, {{0b01100110, 0, 1}});
}

TEST(WarpSchedulers, two_level_leaves_a_group_when_none_of_it_is_ready) {
  const auto policy = make_warp_scheduler("two_level", {4});
  expect_choices(*policy, {{0x000f, 0, 0},  // round-robin inside warps 0..3 ...
                           {0xffff, 0, 1},
                           {0xfffd, 0, 2},
                           {0xffff, 0, 3},
                           {0xffff, 0, 0},  // ... and again
                           {0xfff1, 0, 0},  // the only ready one of the group
                           {0xff00, 0, 8},  // groups 0 and 1 wait: group 2 takes over
                           {0xffff, 0, 9},
                           {0x00ff, 0, 0}});  // past the last group: from the first on
  EXPECT_THROW(static_cast<void>(make_warp_scheduler("two_level", {3})), InternalError);
}

TEST(WarpSchedulers, two_level_with_one_group_is_round_robin) {
  const auto one = make_warp_scheduler("two_level", {32});
  const auto robin = make_warp_scheduler("loose_round_robin");
  LaneMask ready = 0x9e3779b9;
  for (unsigned i = 0; i < 200; ++i) {
    ASSERT_EQ(one->pick({ready, 0}), robin->pick({ready, 0})) << i;
    ready = ready * 1664525 + 1013904223;
    if (ready == 0) ready = 1;
  }
}

TEST(WarpSchedulers, age_and_type_prefers_scarce_units_then_the_warp_that_issued_longest_ago) {
  const auto policy = make_warp_scheduler("age_and_type");
  policy->arrive(0, 4);
  expect_choices(*policy, {{0b1111, 0, 0},
                           {0b1111, 0, 1},
                           {0b1111, 0b1000, 3},  // an instruction for a scarce unit goes first
                           {0b1111, 0, 2},
                           {0b1111, 0, 0},
                           {0b1101, 0, 3},  // 1 has waited longest but is not ready
                           {0b1111, 0, 1},
                           {0b1111, 0b0101, 2}});
  policy->arrive(0, 2);  // newcomers are the youngest
  expect_choices(*policy, {{0b1111, 0, 3}, {0b0011, 0, 0}});
}

RC_GTEST_PROP(WarpSchedulerLaw, age_and_type_finds_the_warp_that_issued_longest_ago_among_any, ()) {
  const auto policy = make_warp_scheduler("age_and_type");
  policy->arrive(0, 32);
  std::vector<unsigned> order(32);  // by last issue
  std::iota(order.begin(), order.end(), 0U);
  const auto issue = [&](unsigned warp) {
    order.erase(std::find(order.begin(), order.end(), warp));
    order.push_back(warp);
  };
  for (const LaneMask mask : *rc::gen::container<std::vector<LaneMask>>(100, rc::gen::arbitrary<LaneMask>())) {
    // Few ready warps as often as many.
    const LaneMask ready = mask >> (mask % 32) | LaneMask{1} << (mask % 31);
    if (mask % 16 == 0) {  // a block of four warps ends, and another comes
      const unsigned first = mask / 16 % 8 * 4;
      policy->arrive(first, 4);
      for (unsigned warp = first; warp < first + 4; ++warp) issue(warp);
    }
    const auto expected =
        std::find_if(order.begin(), order.end(), [&](unsigned warp) { return (ready >> warp & 1U) != 0; });
    RC_ASSERT(policy->pick({ready, 0}) == *expected);
    issue(unsigned{*expected});
  }
}

TEST(WarpSchedulers, every_policy_takes_each_warp_when_it_alone_is_ready) {
  for (const WarpSchedulerRow& row : warp_schedulers()) {
    const auto policy = make_warp_scheduler(row.name);
    policy->arrive(0, 32);
    for (unsigned warp = 0; warp < 32; ++warp) EXPECT_EQ(policy->pick({LaneMask{1} << warp, 0}), warp) << row.name;
  }
  EXPECT_THROW(static_cast<void>(make_warp_scheduler("none")), InternalError);
}

TEST(WarpSchedulers, that_a_warp_has_ended_changes_no_later_choice) {
  for (const WarpSchedulerRow& row : warp_schedulers()) {
    const auto told = make_warp_scheduler(row.name), untold = make_warp_scheduler(row.name);
    const auto choose = [&](LaneMask ready) {
      EXPECT_EQ(told->pick({ready, 0}), untold->pick({ready, 0})) << row.name;
    };
    for (const auto& policy : {told.get(), untold.get()}) policy->arrive(0, 8);
    for (const LaneMask ready : {0xffU, 0xffU, 0x0fU, 0xf0U, 0xffU}) choose(ready);
    told->leave(2);
    told->leave(3);
    for (const LaneMask ready : {0xf3U, 0x33U, 0xf1U, 0xf3U, 0xf3U}) choose(ready);
    for (const auto& policy : {told.get(), untold.get()}) policy->arrive(2, 2);
    for (const LaneMask ready : {0xffU, 0xffU, 0xffU, 0x0fU, 0xffU, 0xffU, 0xffU, 0x0cU}) choose(ready);
  }
}

}  // namespace
}  // namespace teslasim::testing
