// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/summary.h"

#include <gtest/gtest.h>

#include <sstream>

#include "sim/report/text/format.h"
#include "sim/report/text/hints.h"
#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

TEST(Summary, golden_text) {
  EXPECT_EQ(summary(test::sample_result(), Bars::none),
            R"(copy  2 blocks × 64 threads   Two SMs (sm_13)   2 SM @ 1296 MHz   → runs/001-copy-tiny
  done 2/2 blocks

RESULT      200 cycles = 0.0001543 ms    output buffers: OK (1 of 1 checked)
OCCUPANCY   possible 16 of 32 warps/SM (50 %), limited by ctas (8 blocks × 64)    0.1 waves
            achieved 2.0 warps/SM (6.2 %): 1 of 2 SMs had blocks
EXECUTED    8 warp instructions, SIMD efficiency 100.0 % (32.0 of 32 lanes active)
SPEED OF LIGHT  issue 4.0 %  SP 20.0 %  SFU 0.0 %  shared 3.5 %  DRAM 1.7 % (1.7 of 100.0 GB/s)

WHERE THE ISSUE SLOTS WENT (100 % = 200)
  empty.occupancy      50.0 %
  mem.global           44.0 %
  issued                4.0 %
  replay.shared_bank    2.0 %

HOT SPOTS
  pc      instruction                                 slots   why
  0x0008  add.u32 $r2, $r0, s[$ofs1+0x0010]           48.0 %  mem.global 92 %, issued 4 %; 3-way
  0x0000  mov.u32 $r0, g[$r1]                          1.0 %  issued 100 %
  0x0010  mov.end.u32 g[$r1], "$r2"                    1.0 %  issued 100 %

HINT        50.0 % of slots: SMs have no block to run: use more blocks, in a multiple of what the
            machine holds
            → teslasim explain grid-size
HOST        0.50 s, 16 warp-instr/s, 40 MB
DIGEST      9f3a 61c2 07be d41d      files: runs/001-copy-tiny
)");
}

TEST(Summary, bars_only_when_asked) {
  EXPECT_EQ(summary(test::sample_result(), Bars::none).find("█"), std::string::npos);
  EXPECT_NE(summary(test::sample_result(), Bars::drawn).find("█"), std::string::npos);
}

TEST(Summary, no_line_is_wider_than_a_hundred_columns) {
  Result result = test::sample_result();
  result.run_directory = "some/where/far/away/runs/001-" + std::string(60, 'x');
  result.launches[0].listing[1].text = std::string(300, 'y');
  result.launches[0].outputs = std::vector<OutputCheck>{{"out", false, 128, 5, std::string(200, 'z')}};
  for (unsigned i = 0; i < slot_reason_count; ++i) result.launches[0].statistics.slots.counts[i] += 7;
  result.launches.push_back(result.launches[0]);
  std::istringstream lines(summary(result, Bars::drawn));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), summary_width) << line;
}

TEST(Summary, says_which_numbers_are_of_all_launches) {
  Result result = test::sample_result();
  EXPECT_EQ(summary(result, Bars::none).find("of all"), std::string::npos) << "one launch";
  result.launches.push_back(result.launches[0]);
  const std::string two = summary(result, Bars::none);
  EXPECT_NE(two.find("its details follow\n  times in RESULT, LAUNCH and MODELS are of all 2 launches\n"),
            std::string::npos);
  result.launches.pop_back();
  result.launches[0].merged.emplace();
  result.launches[0].merged->count = 3;
  const std::string sum = summary(result, Bars::none);
  EXPECT_NE(sum.find("of the 3 launches of "), std::string::npos);
  EXPECT_EQ(sum.find("of all"), std::string::npos) << "one kernel: all of it is the sum";
}

TEST(Summary, keeps_the_prediction_of_a_model_on_one_line) {
  Result result = test::sample_result();
  std::vector<Prediction>& predictions = result.launches[0].predictions;
  predictions.clear();
  for (const char* model : {"hong-kim", "zhang-owens", "latency-throughput", "roofline"}) {
    Prediction prediction;
    prediction.model = model;
    prediction.seconds = 1.543e-7;
    predictions.push_back(prediction);
  }
  EXPECT_NE(summary(result, Bars::none)
                .find("MODELS      hong-kim 0.0001543 ms (-0 %)   zhang-owens 0.0001543 ms (-0 %)\n"
                      "            latency-throughput 0.0001543 ms (-0 %)   roofline 0.0001543 ms (-0 %)\n"),
            std::string::npos)
      << summary(result, Bars::none);
}

TEST(Summary, an_sm_whose_blocks_have_not_finished_had_blocks) {
  Result result = test::sample_result();
  SmStatistics& sm = result.launches[0].statistics.sms[0];
  sm.blocks = 0;
  sm.resident_warp_cycles = 400;
  EXPECT_NE(summary(result, Bars::none).find("1 of 2 SMs had blocks"), std::string::npos);
}

TEST(Summary, one_block_is_one_block) {
  Result result = test::sample_result();
  result.launches[0].statistics.grid = {1, 1, 1};
  EXPECT_NE(summary(result, Bars::none).find("copy  1 block × 64 threads"), std::string::npos);
}

TEST(Summary, tells_wrong_outputs_and_stopped_runs) {
  Result result = test::sample_result();
  result.status = RunStatus::interrupted;
  result.launches[0].outputs = std::vector<OutputCheck>{{"out", false, 128, 5, "[3] is 1, expected 2"}};
  const std::string text = summary(result, Bars::none);
  EXPECT_NE(text.find("status: interrupted"), std::string::npos);
  EXPECT_NE(text.find("output buffers: WRONG (1 of 1 differ)"), std::string::npos);
  EXPECT_NE(text.find("'out': 5 of 128 elements wrong; [3] is 1, expected 2"), std::string::npos);
}

TEST(Summary, says_which_numbers_of_a_sample_are_extrapolated) {
  Result result = test::block_sample();
  const std::string text = summary(result, Bars::none);
  EXPECT_NE(text.find("RESULT      1 000 cycles = 0.0007716 ms +-0.00001543 ms (extrapolated)\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("done 10/10 blocks"), std::string::npos) << text;
  EXPECT_NE(text.find("SAMPLED     copy: 2 of 10 blocks ran in time (200 cycles = 0.0001543 ms)"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("STEADY"), std::string::npos);
  EXPECT_NE(text.find("80 warp-instr/s"), std::string::npos) << "8 in time, 32 by function, in half a second: " << text;
  result.launches[0].sample->steady = false;
  result.launches[0].sample->trend = 0.25;
  EXPECT_NE(summary(result, Bars::none).find("changes by +25.0 %"), std::string::npos);
  std::istringstream lines(summary(result, Bars::drawn));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), summary_width) << line;
}

TEST(Summary, of_a_functional_run_claims_no_time) {
  Result result = test::sample_result();
  result.launches[0].statistics.timed = false;
  const std::string text = summary(result, Bars::none);
  EXPECT_NE(text.find("functional run: no time"), std::string::npos);
  EXPECT_EQ(text.find("ISSUE SLOTS"), std::string::npos);
}

TEST(Hints, the_largest_problem_wins) {
  LaunchStatistics launch;
  launch.slots[SlotReason::issued] = 50;
  EXPECT_TRUE(best_hint(launch).text.empty());
  launch.occupancy = {4, 32, 32, "warps"};
  launch.slots[SlotReason::replay_shared_bank] = 20;
  launch.slots[SlotReason::sync_barrier] = 16;
  launch.shared.accesses = 20;
  launch.shared.replays = 20;
  EXPECT_EQ(best_hint(launch).topic, "bank-conflict");
  launch.slots[SlotReason::sync_barrier] = 40;
  EXPECT_EQ(best_hint(launch).topic, "barrier");
}

TEST(Hints, waiting_for_shared_memory_without_replays_is_no_conflict_of_banks) {
  LaunchStatistics launch;
  launch.slots[SlotReason::issued] = 50;
  launch.slots[SlotReason::mem_shared] = 50;
  launch.shared.accesses = 100;
  EXPECT_NE(best_hint(launch).topic, "bank-conflict");
  launch.shared.replays = 100;
  EXPECT_EQ(best_hint(launch).topic, "bank-conflict");
}

TEST(Hints, what_can_be_cured_comes_before_what_is_inherent) {
  LaunchStatistics launch;
  launch.slots[SlotReason::issued] = 30;
  launch.occupancy = {4, 32, 32, "warps"};
  launch.slots[SlotReason::pipe_sp] = 40;
  launch.slots[SlotReason::sync_barrier] = 30;
  EXPECT_EQ(best_hint(launch).topic, "barrier");
  launch.slots[SlotReason::sync_barrier] = 0;
  EXPECT_EQ(best_hint(launch).topic, "compute-bound");
}

TEST(Hints, coalescing_needs_wasted_bytes) {
  LaunchStatistics launch;
  launch.occupancy = {8, 32, 32, "warps"};
  launch.sms.resize(1);
  launch.slots[SlotReason::issued] = 10;
  launch.slots[SlotReason::mem_global] = 90;
  launch.warp_cycles[SlotReason::mem_global] = 3000;
  launch.global.bytes = 1000;
  launch.global.bytes_used = 900;
  EXPECT_EQ(best_hint(launch).topic, "latency-hiding");
  launch.global.bytes_used = 100;
  EXPECT_EQ(best_hint(launch).topic, "coalescing");
  launch.global.bytes_used = 900;
  launch.warp_cycles[SlotReason::mem_global] = 400;
  EXPECT_EQ(best_hint(launch).topic, "grid-size") << "32 warps would fit, 4 were there";
  launch.ctas_total = 80;
  EXPECT_EQ(best_hint(launch).topic, "latency-hiding") << "ten waves of blocks: more would not help";
  launch.ctas_total = 8;
  launch.occupancy.warps = 8;
  EXPECT_EQ(best_hint(launch).topic, "grid-size") << "eight would fit, 4 were there";
  launch.warp_cycles[SlotReason::mem_global] = 700;
  EXPECT_EQ(best_hint(launch).topic, "occupancy");
}

TEST(Hints, waiting_for_instructions_is_no_cost_of_branches) {
  LaunchStatistics launch;
  launch.slots[SlotReason::issued] = 50;
  launch.slots[SlotReason::fetch] = 50;
  EXPECT_EQ(best_hint(launch).topic, "code-size");
  launch.slots[SlotReason::fetch] = 0;
  launch.slots[SlotReason::branch] = 50;
  EXPECT_EQ(best_hint(launch).topic, "") << "no control transfer was executed";
  launch.issued_by_class[4] = 10;
  EXPECT_EQ(best_hint(launch).topic, "branch-cost");
}

TEST(Hints, lanes_of_small_blocks_take_no_different_paths) {
  LaunchStatistics launch;
  launch.slots[SlotReason::issued] = 50;
  launch.warp_instructions = 50;
  launch.active_lane_sum = 400;
  EXPECT_EQ(best_hint(launch).topic, "");
  launch.branches = launch.divergent_branches = 10;
  EXPECT_EQ(best_hint(launch).topic, "divergence");
}

TEST(Hints, a_block_of_one_warp_waits_for_no_other) {
  LaunchStatistics launch;
  launch.occupancy = {8, 8, 32, "ctas"};
  launch.slots[SlotReason::sync_barrier] = 50;
  EXPECT_EQ(best_hint(launch).topic, "");
  launch.occupancy.warps = 16;
  EXPECT_EQ(best_hint(launch).topic, "barrier");
}

TEST(Hints, every_rule_fits_on_two_lines) {
  for (const HintRule& rule : hint_rules()) EXPECT_LE(columns(rule.text), 2 * (summary_width - 24)) << rule.text;
}

}  // namespace
}  // namespace teslasim
