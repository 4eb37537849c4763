// SPDX-License-Identifier: Apache-2.0
// Barriers of an SM: what they take, whom they are charged to, and whom they wait for.
#include <gtest/gtest.h>

#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

// Slots are charged to what the slow warp waited for; to the barrier only its own latency (10 cycles, of which 4 are
// the re-issue distance).
TEST(SmBarrier, slots_are_charged_to_the_slow_warp_not_to_the_barrier) {
  SmUnderTest sm({}, 300);
  sm.shape = [](unsigned warp, std::uint32_t, WarpInst& out) {
    if (warp != 0 && out.memory != nullptr) out.memory->lanes = 0;
  };
  std::vector<Instruction> code = {predicated(global_load(1, 2), 0), mad(3, 1, 1, 1), barrier(), last()};
  sm.shape = [](unsigned warp, std::uint32_t, WarpInst& out) {
    if (warp != 0 && out.memory != nullptr) {
      out.memory = nullptr;
      out.executed = 0;
    }
  };
  sm.run(code, 4);
  // Arrivals take two cycles each: two slots were lost between those of the three fast warps.
  EXPECT_EQ(sm.slots(SlotReason::sync_barrier), 6U + 2);
  EXPECT_GT(sm.slots(SlotReason::mem_global), 280U);
  const SmCycle slow = sm.issue_cycles(0)[2];
  std::uint64_t waited = 0;
  for (unsigned warp = 1; warp < 4; ++warp) waited += (slow - sm.issue_cycles(warp)[2]).count();
  EXPECT_EQ(sm.warp_cycles(SlotReason::sync_barrier), waited + 4 * 6 + 2);
  expect_sums_close(sm);
}

// Wong et al. 2010, section IV-C (recollected): 20 SP cycles with one warp and 4 more for each further warp.
TEST(SmBarrier, barriers_follow_each_other_at_twenty_cycles_and_four_for_each_further_warp) {
  for (unsigned warps : {1U, 2U, 4U, 8U, 16U}) {
    SmUnderTest sm;
    sm.run(repeat(10, barrier()), warps);
    std::vector<SmCycle> opened(10);  // by the last arrival
    for (unsigned i = 0; i < 10; ++i) {
      for (unsigned warp = 0; warp < warps; ++warp) opened[i] = std::max(opened[i], sm.issue_cycles(warp)[i]);
    }
    for (unsigned i = 1; i < 10; ++i) ASSERT_EQ(opened[i] - opened[i - 1], 10U + 2 * (warps - 1)) << warps;
    expect_sums_close(sm);
  }
}

TEST(SmBarrier, does_not_wait_for_a_warp_that_has_ended) {
  for (const std::uint32_t last_of_warp : {0U, 199U}) {  // before the others arrive, and long after
    SmUnderTest sm;
    sm.shape = [&](unsigned warp, std::uint32_t instruction, WarpInst& out) {
      if (warp == 3 && instruction == last_of_warp) out.finished = true;
      if (warp != 3 && instruction < 150) out.executed = 0;
    };
    std::vector<Instruction> code = repeat(200, mad(1, 1, 3, 4));
    code.push_back(barrier());
    code.push_back(last());
    sm.run(code, 4);
    EXPECT_EQ(sm.completions.size(), 1U) << last_of_warp;
    expect_sums_close(sm);
  }
}

TEST(SmBarrier, a_warp_that_ends_without_arriving_leaves_the_others_waiting_on_g80) {
  SmSpec spec;
  spec.finished_warps_hold_barriers = true;
  SmUnderTest sm(spec);
  sm.shape = [](unsigned warp, std::uint32_t instruction, WarpInst& out) {
    if (warp == 3 && instruction == 0) out.finished = true;
  };
  sm.run({mad(1, 2, 3, 4), barrier(), last()}, 4);
  EXPECT_TRUE(sm.completions.empty());
  ASSERT_GE(sm.pending.size(), 3U);
  EXPECT_NE(sm.pending[1].find("barrier 0:  3 of 4 warps arrived"), std::string::npos) << sm.pending[1];
  EXPECT_NE(sm.pending[3].find("w3  finished at 0x0000"), std::string::npos) << sm.pending[3];
}

// The exit flag of a barrier instruction: the warp arrives, and has nothing left to wait for.
TEST(SmBarrier, a_warp_that_ends_with_the_barrier_has_arrived) {
  for (const bool hold : {false, true}) {
    for (const unsigned ends : {0U, 3U}) {  // arrives first, and last
      SmSpec spec;
      spec.finished_warps_hold_barriers = hold;
      SmUnderTest sm(spec);
      sm.shape = [ends](unsigned warp, std::uint32_t instruction, WarpInst& out) {
        if (warp == ends && instruction == 1) out.finished = true;
      };
      sm.run({mad(1, 2, 3, 4), barrier(), last()}, 4);
      EXPECT_EQ(sm.completions.size(), 1U) << hold << ends;
      expect_sums_close(sm);
    }
  }
}

}  // namespace
}  // namespace teslasim::testing
