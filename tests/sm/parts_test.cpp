// SPDX-License-Identifier: Apache-2.0
// The small parts of the SM: calendar, fetch port, barriers, scoreboard.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>

#include "sim/exec/barrier.h"
#include "sim/sm/event_wheel.h"
#include "sim/sm/front_end/fetch_unit.h"
#include "sim/sm/issue/scoreboard.h"
#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

RC_GTEST_PROP(EventWheel, gives_every_event_in_its_cycle_and_in_order, ()) {
  EventWheel<std::uint32_t> wheel(200);
  std::multimap<SmCycle, std::uint32_t> model;
  SmCycle now = 0;
  std::uint32_t serial = 0;
  for (const unsigned distance : *rc::gen::container<std::vector<unsigned>>(60, rc::gen::inRange(1U, 200U))) {
    wheel.schedule(now, now + distance, serial);
    model.emplace(now + distance, serial++);
    if (distance % 3 != 0) continue;
    RC_ASSERT(wheel.next(now) == model.begin()->first);
    now = wheel.next(now);
    wheel.take(now, [&](std::uint32_t event) {
      RC_ASSERT(model.begin()->first == now);
      RC_ASSERT(model.begin()->second == event);
      model.erase(model.begin());
    });
    RC_ASSERT(model.empty() || model.begin()->first > now);
  }
  RC_ASSERT(wheel.empty() == model.empty());
}

TEST(EventWheel, refuses_what_lies_beyond_its_horizon) {
  EventWheel<std::uint32_t> wheel(10);
  EXPECT_THROW(wheel.schedule(0, 5000, 1), InternalError);
  EXPECT_THROW(wheel.schedule(7, 7, 1), InternalError);
}

TEST(FetchUnit, serves_one_warp_per_cycle) {
  FetchUnit port({}, 32);
  EXPECT_EQ(port.reserve(0, 1), 1U);
  EXPECT_EQ(port.reserve(0, 1), 2U);
  EXPECT_EQ(port.reserve(0, 5), 5U);
  EXPECT_EQ(port.reserve(1, 2), 3U);
  EXPECT_EQ(port.reserve(1, 4), 4U);
  EXPECT_EQ(port.reserve(4, 5), 6U) << "cycle 5 was taken";
}

TEST(BlockBarriers, open_when_the_last_warp_arrives) {
  BlockBarriers barriers;
  barriers.clear(3);
  EXPECT_EQ(barriers.execute(0, 0b001, true, true, 0xfff), 0U);
  EXPECT_EQ(barriers.execute(0, 0b100, true, true, 0xfff), 0U);
  EXPECT_EQ(barriers.execute(1, 0b010, true, false, 0xfff), 0U) << "another barrier";
  EXPECT_EQ(barriers.execute(0, 0b010, true, true, 0xfff), 0b111U);
  EXPECT_EQ(barriers.arrived(0), 0U);
}

TEST(BlockBarriers, arrive_without_waiting_counts) {
  BlockBarriers barriers;
  barriers.clear(2);
  EXPECT_EQ(barriers.execute(2, 0b01, true, false, 0xfff), 0U);
  EXPECT_EQ(barriers.execute(2, 0b10, true, true, 0xfff), 0b10U);
}

TEST(BlockBarriers, do_not_wait_for_warps_that_have_left) {
  BlockBarriers barriers;
  barriers.clear(4);
  EXPECT_EQ(barriers.leave(0b1000), 0U) << "nobody waits";
  EXPECT_EQ(barriers.execute(0, 0b0001, true, true, 0xfff), 0U);
  EXPECT_EQ(barriers.execute(0, 0b0010, true, true, 0xfff), 0U);
  EXPECT_EQ(barriers.leave(0b0100), 0b0011U) << "the last one that was missing";
  EXPECT_EQ(barriers.execute(0, 0b0001, true, true, 0xfff), 0U) << "counts begin again";
  EXPECT_EQ(barriers.execute(0, 0b0010, true, true, 0xfff), 0b0011U);
  barriers.clear(2);
  EXPECT_EQ(barriers.execute(0, 0b01, true, true, 0xfff), 0U) << "another block";
}

TEST(BlockBarriers, a_warp_that_arrived_and_left_counts_once) {
  BlockBarriers barriers;
  barriers.clear(3);
  EXPECT_EQ(barriers.execute(0, 0b001, true, false, 0xfff), 0U);
  EXPECT_EQ(barriers.leave(0b001), 0U);
  EXPECT_EQ(barriers.execute(0, 0b010, true, true, 0xfff), 0U) << "the third is missing";
  EXPECT_EQ(barriers.execute(0, 0b100, true, true, 0xfff), 0b110U);
}

TEST(BlockBarriers, for_a_number_of_threads_wait_for_as_many) {
  BlockBarriers barriers;
  barriers.clear(3);
  EXPECT_EQ(barriers.execute(1, 0b001, true, true, 64), 0U);
  EXPECT_EQ(barriers.leave(0b010), 0U);
  EXPECT_EQ(barriers.leave(0b100), 0U);
  EXPECT_EQ(barriers.waiting(1), 0b001U);
}

TEST(Scoreboard, charges_the_slowest_class_first) {
  Scoreboard scoreboard(2);
  RegisterSet one, two, both;
  one.add_register(1);
  two.add_register(70);
  both.insert(one);
  both.insert(two);
  scoreboard.reserve(1, one, SlotReason::dep_alu);
  scoreboard.reserve(1, two, SlotReason::mem_global);
  EXPECT_FALSE(scoreboard.hazard(0, both));
  EXPECT_TRUE(scoreboard.hazard(1, both));
  EXPECT_EQ(scoreboard.blocking_class(1, both), SlotReason::mem_global);
  EXPECT_EQ(scoreboard.blocking_class(1, one), SlotReason::dep_alu);
  scoreboard.release(1, two, SlotReason::mem_global);
  EXPECT_EQ(scoreboard.blocking_class(1, both), SlotReason::dep_alu);
  scoreboard.release(1, one, SlotReason::dep_alu);
  EXPECT_TRUE(scoreboard.empty(1));
}

/// How most kernels are simulated: with one word instead of three.
TEST(Scoreboard, gives_the_same_answers_for_sets_in_one_word) {
  Scoreboard any(1), packed(1);
  packed.begin(Scoreboard::Sets::one_word);
  std::array<RegisterSet, 4> sets;
  sets[0].add_register(0);
  sets[1].add_register(51);
  sets[2].add_flags(3);
  sets[3].add_address(7);
  for (const RegisterSet& set : sets) {
    ASSERT_TRUE(set.fits_one_word());
    any.reserve(0, set, SlotReason::dep_alu);
    packed.reserve(0, set.in_one_word(), SlotReason::dep_alu);
    for (const RegisterSet& other : sets) EXPECT_EQ(packed.hazard(0, other.in_one_word()), any.hazard(0, other));
  }
  for (const RegisterSet& set : sets) {
    EXPECT_FALSE(packed.empty(0));
    packed.release(0, set.in_one_word(), SlotReason::dep_alu);
    EXPECT_FALSE(packed.hazard(0, set.in_one_word()));
  }
  EXPECT_TRUE(packed.empty(0));
  RegisterSet beyond;
  beyond.add_register(52);
  EXPECT_FALSE(beyond.fits_one_word());
}

}  // namespace
}  // namespace teslasim::testing
