// SPDX-License-Identifier: Apache-2.0
// States of warps as a table: what a warp was at in each cycle, for which instruction, because of which.
#include <gtest/gtest.h>

#include "sim/report/timeline/timeline.h"

namespace teslasim {
namespace {

class WarpStates : public ::testing::Test {
 protected:
  WarpStates() { launch_.listing = {{0x0, 8, 1, "mov.u32 $r1, g[$r2]", {}}, {0x8, 8, 2, "add.u32 $r1, $r1, 1", {}}}; }
  void issue(std::uint8_t warp, std::uint32_t index, SmCycle when, std::vector<SmCycle> replays = {}) {
    PipelineEvents::Instruction one;
    one.sm = 3;
    one.warp = warp;
    one.index = index;
    one.issued = when;
    one.replays = std::move(replays);
    events_.instructions.push_back(one);
  }
  void wait(std::uint8_t warp, SlotReason state, SmCycle begin, SmCycle end,
            std::uint32_t producer = PipelineEvents::no_instruction) {
    events_.waits.push_back({3, warp, state, producer, begin, end});
  }
  std::string table(std::uint64_t most_bytes = 1'000'000) {
    Timeline timeline;
    timeline.most_bytes = most_bytes;
    timeline.launches.push_back({&launch_, &events_, 0});
    std::string text;
    file_ = warp_states_file(timeline, [&text](std::string_view piece) { text += piece; });
    return text;
  }
  LaunchResult launch_;
  PipelineEvents events_;
  TimelineFile file_;
  const std::string head_ = "launch,sm,warp,cycle_begin,cycle_end,state,pc,blamed_pc\n";
};

TEST_F(WarpStates, a_wait_is_for_the_next_instruction_and_because_of_another) {
  issue(1, 0, 10);
  issue(1, 1, 60);
  wait(1, SlotReason::mem_global, 11, 60, 0);
  EXPECT_EQ(table(), head_ +
                         "0,3,1,20,22,issuing,0x0000,\n"
                         "0,3,1,22,120,wait.mem.global,0x0008,0x0000\n"
                         "0,3,1,120,122,issuing,0x0008,\n");
  EXPECT_EQ(file_.events, 3U);
}

TEST_F(WarpStates, a_wait_before_a_replay_is_for_the_same_instruction) {
  issue(0, 0, 10, {14});
  issue(0, 1, 20);
  wait(0, SlotReason::not_selected, 11, 14);
  EXPECT_EQ(table(), head_ +
                         "0,3,0,20,22,issuing,0x0000,\n"
                         "0,3,0,22,28,ready-not-chosen,0x0000,\n"
                         "0,3,0,28,30,issuing.replay,0x0000,\n"
                         "0,3,0,40,42,issuing,0x0008,\n");
}

TEST_F(WarpStates, a_warp_that_has_finished_waits_for_no_instruction_of_the_next_block) {
  wait(0, SlotReason::finished, 4, 9);
  issue(0, 0, 30);
  EXPECT_EQ(table(), head_ + "0,3,0,8,18,finished-waiting-for-CTA,,\n0,3,0,60,62,issuing,0x0000,\n");
}

TEST_F(WarpStates, warps_follow_each_other_and_launches_have_their_numbers) {
  launch_.index = 7;
  issue(2, 0, 5);
  issue(1, 0, 6);
  EXPECT_EQ(table(), head_ + "7,3,1,12,14,issuing,0x0000,\n7,3,2,10,12,issuing,0x0000,\n");
}

TEST_F(WarpStates, what_does_not_fit_is_counted) {
  for (unsigned i = 0; i < 100; ++i) issue(0, 0, 10 + i);
  events_.dropped = 5;
  EXPECT_LT(table(500).size(), 550U);
  EXPECT_EQ(file_.events + file_.dropped, 105U);
  EXPECT_GT(file_.events, 10U);
}

}  // namespace
}  // namespace teslasim
