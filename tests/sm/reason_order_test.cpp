// SPDX-License-Identifier: Apache-2.0
// What follows from the rows of slot_reason.def in an SM: the ladder, the reasons of pipes, the classes of results.
#include "sim/sm/accounting/reason_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/sm/issue/scoreboard.h"

namespace teslasim {
namespace {

TEST(ReasonOrder, the_ladder_goes_from_structural_to_launch) {
  std::vector<SlotReason> ladder;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (slot_reasons[i].rank != unranked) ladder.push_back(static_cast<SlotReason>(i));
  }
  std::sort(ladder.begin(), ladder.end(), [](SlotReason left, SlotReason right) { return rank(left) < rank(right); });
  std::string names;
  for (const SlotReason reason : ladder) names += std::string(info(reason).name) + ' ';
  EXPECT_EQ(names,
            "mem.queue pipe.collector pipe.lsu pipe.dp pipe.sfu pipe.sp dep.alu dep.sfu dep.dp mem.shared mem.const "
            "mem.tex mem.local mem.global dep.reissue sync.barrier fetch branch finished-waiting-for-CTA empty.start ");
}

TEST(ReasonOrder, every_pipe_has_a_reason) {
  EXPECT_EQ(pipe_reason(Pipe::mad), SlotReason::pipe_sp);
  EXPECT_EQ(pipe_reason(Pipe::mad_or_sfu), SlotReason::pipe_sp);
  EXPECT_EQ(pipe_reason(Pipe::sfu_mul), SlotReason::pipe_sfu);
  EXPECT_EQ(pipe_reason(Pipe::mad_shared), SlotReason::pipe_sp);
  EXPECT_EQ(pipe_reason(Pipe::none), SlotReason::pipe_sp);
  EXPECT_EQ(pipe_reason(Pipe::sfu), SlotReason::pipe_sfu);
  EXPECT_EQ(pipe_reason(Pipe::dp), SlotReason::pipe_dp);
  EXPECT_EQ(pipe_reason(Pipe::memory), SlotReason::pipe_lsu);
  EXPECT_EQ(pipe_reason(Pipe::barrier), SlotReason::sync_barrier);
}

TEST(ReasonOrder, the_longest_of_several_missing_results_is_charged) {
  Scoreboard scoreboard(1);
  RegisterSet first, second, both;
  first.add_register(1);
  second.add_register(2);
  both.insert(first);
  both.insert(second);
  scoreboard.reserve(0, first, SlotReason::mem_global);
  scoreboard.reserve(0, second, SlotReason::dep_sfu);
  EXPECT_EQ(scoreboard.blocking_class(0, both), SlotReason::mem_global);
  EXPECT_EQ(scoreboard.blocking_class(0, second), SlotReason::dep_sfu);
}

}  // namespace
}  // namespace teslasim
