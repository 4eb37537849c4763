// SPDX-License-Identifier: Apache-2.0
// Block slots alone: how blocks come, meet at barriers, and go.
#include "sim/sm/blocks/block_slots.h"

#include <gtest/gtest.h>

#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

/// Four slots for blocks of four warps, ten cycles to set one up; two blocks fit by their other resources.
struct Bench {
  explicit Bench(bool early_release = false) : slots({4, 16, 10, early_release}) {
    kernel.code = {barrier(), last()};
    launch.kernel = &kernel;
    launch.grid = {8, 1, 1};
    launch.block = {4 * warp_size, 1, 1};
    slots.begin(launch, statistics, 2);
  }
  BlockSlots::Started start(std::uint64_t block, SmCycle now) { return slots.accept({now, block, 0}, now); }
  /// The warps that may go on when this one meets barrier 0.
  LaneMask meet(unsigned warp) {
    InFlightInstruction record;
    record.instruction = kernel.code.data();
    record.warp = static_cast<std::uint8_t>(warp);
    return slots.arrive_at_barrier(record);
  }

  Kernel kernel;
  Launch launch;
  SmStatistics statistics;
  BlockSlots slots;
};

TEST(BlockSlots, blocks_are_set_up_one_after_the_other) {
  Bench sm;
  EXPECT_EQ(sm.start(7, 100).set_up, 110U);
  const BlockSlots::Started second = sm.start(8, 102);
  EXPECT_EQ(second.set_up, 120U);
  EXPECT_EQ(second.slot, 1U);
  EXPECT_EQ(second.first_warp, 4U);
  EXPECT_EQ(sm.slots.slot_index(6), 1U);
  EXPECT_EQ(sm.start(9, 200).set_up, 210U);
}

TEST(BlockSlots, take_as_many_blocks_as_there_are_slots) {
  Bench sm;
  for (unsigned block = 0; block < 4; ++block) {
    EXPECT_TRUE(sm.slots.can_accept());
    sm.start(block, 0);
  }
  EXPECT_FALSE(sm.slots.can_accept());
  EXPECT_THROW(sm.start(4, 0), InternalError);
}

TEST(BlockSlots, arrivals_are_taken_by_their_stamp) {
  Bench sm;
  sm.slots.receive({50, 3, 0});
  sm.slots.receive({60, 4, 0});
  EXPECT_EQ(sm.slots.next_message(), 50U);
  EXPECT_FALSE(sm.slots.idle());
  std::vector<std::uint64_t> taken;
  sm.slots.take_arrivals(55, [&](const BlockSlots::Arrival& arrival) { taken.push_back(arrival.block); });
  EXPECT_EQ(taken, std::vector<std::uint64_t>{3});
  EXPECT_EQ(sm.slots.next_message(), 60U);
}

TEST(BlockSlots, know_when_the_next_block_may_come) {
  Bench sm;
  sm.slots.begin(sm.launch, sm.statistics, 2, {100, 30});
  EXPECT_EQ(sm.slots.next_vacancy(), 0U) << "two blocks fit";
  sm.slots.receive({50, 3, 0});
  EXPECT_EQ(sm.slots.next_vacancy(), 80U) << "30 cycles behind the first";
  sm.slots.receive({90, 4, 0});
  EXPECT_EQ(sm.slots.next_vacancy(), never) << "first a block has to leave";
  sm.slots.take_arrivals(90, [&](const BlockSlots::Arrival& arrival) { sm.slots.accept(arrival, arrival.when); });
  for (WarpSlot warp = 0; warp < 4; ++warp) sm.slots.finish_warp(warp, 500);
  sm.slots.retire(0, 501);
  EXPECT_EQ(sm.slots.next_vacancy(), 601U);
  sm.slots.receive_end_of_grid();
  EXPECT_EQ(sm.slots.next_vacancy(), never);
  for (WarpSlot warp = 4; warp < 8; ++warp) sm.slots.finish_warp(warp, 700);
  sm.slots.retire(1, 701);
  EXPECT_EQ(sm.slots.next_vacancy(), never) << "there are no more blocks";
}

TEST(BlockSlots, a_barrier_lets_all_go_on_when_the_last_warp_arrives) {
  Bench sm;
  sm.start(0, 0);
  sm.start(1, 0);
  EXPECT_EQ(sm.meet(4), 0U);
  EXPECT_EQ(sm.meet(0), 0U) << "another block";
  EXPECT_EQ(sm.meet(6), 0U);
  EXPECT_EQ(sm.meet(5), 0U);
  EXPECT_EQ(sm.meet(7), 0xf0U);
  EXPECT_EQ(sm.slots.barriers(), 5U);
}

TEST(BlockSlots, a_block_is_done_when_its_warps_have_finished_and_its_loads_are_back) {
  Bench sm;
  sm.start(5, 0);
  sm.slots.load_left(2);
  for (unsigned warp = 0; warp < 4; ++warp) sm.slots.finish_warp(warp, 30 + warp);
  EXPECT_TRUE(sm.slots.finished(3));
  EXPECT_FALSE(sm.slots.done(0));
  EXPECT_THROW(sm.slots.retire(0, 40), InternalError);
  sm.slots.load_returned(2);
  EXPECT_TRUE(sm.slots.done(0));
  EXPECT_EQ(sm.slots.retire(0, 40), 5U);
  EXPECT_TRUE(sm.slots.idle());
  EXPECT_EQ(sm.statistics.blocks, 1U);
  ASSERT_EQ(sm.statistics.block_times.size(), 1U);
  EXPECT_EQ(sm.statistics.block_times[0].end, 40U);
}

TEST(BlockSlots, early_release_gives_the_place_back_when_half_of_the_warps_have_finished) {
  Bench sm(true);
  sm.start(0, 0);
  EXPECT_FALSE(sm.slots.finish_warp(0, 30));
  EXPECT_TRUE(sm.slots.finish_warp(1, 31));
  EXPECT_FALSE(sm.slots.finish_warp(2, 32)) << "once";
  Bench usual;
  usual.start(0, 0);
  usual.slots.finish_warp(0, 30);
  EXPECT_FALSE(usual.slots.finish_warp(1, 31));
}

TEST(BlockSlots, say_who_is_missing_at_a_barrier) {
  Bench sm;
  sm.start(3, 0);
  for (unsigned warp = 0; warp < 3; ++warp) sm.meet(warp);
  sm.slots.finish_warp(3, 30);
  std::vector<std::string> lines;
  const auto state = [](unsigned) { return "barrier"; };
  sm.slots.describe_pending("SM 0", state, lines);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0], "SM 0: block 3: 3 of 4 warps have not finished");
  EXPECT_NE(sm.slots.barrier_cause(state), "");
}

}  // namespace
}  // namespace teslasim::testing
