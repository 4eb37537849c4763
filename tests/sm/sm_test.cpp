// SPDX-License-Identifier: Apache-2.0
// The SM as a datasheet: closed forms for latency, throughput, conflicts, and the two accounting views.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

// Collange 2010, table 6: MAD 20, 22, 24 SP cycles on GT200 for one, two, three distinct operands.
TEST(SmLatency, dependent_mads_issue_at_the_latency_for_their_operands) {
  const std::vector<std::pair<Instruction, SmCycle>> rows = {
      {mad(1, 1, 1, 1), 10}, {mad(1, 1, 2, 2), 11}, {mad(1, 1, 2, 3), 12}};
  for (const auto& [instruction, latency] : rows) {
    SmUnderTest sm;
    sm.run(repeat(200, instruction), 1);
    const std::vector<SmCycle> cycles = sm.issue_cycles(0);
    for (unsigned i = 1; i < 200; ++i) ASSERT_EQ(cycles[i] - cycles[i - 1], latency);
    EXPECT_EQ(sm.warp_cycles(SlotReason::dep_reissue), 200U * 3);
    EXPECT_EQ(sm.warp_cycles(SlotReason::dep_alu), 199U * (latency - 4));
    EXPECT_EQ(sm.warp_cycles(SlotReason::issuing), 201U);
    expect_sums_close(sm);
  }
}

// Collange 2010, section 8: one warp alone issues every 8 SP cycles.
TEST(SmThroughput, independent_instructions_of_one_warp_issue_every_four_cycles) {
  SmUnderTest sm;
  std::vector<Instruction> code;
  for (unsigned i = 0; i < 100; ++i) code.push_back(mad(1 + i % 20, 30, 30, 30));
  code.push_back(last());
  sm.run(code, 1);
  const std::vector<SmCycle> cycles = sm.issue_cycles(0);
  for (unsigned i = 1; i < 100; ++i) ASSERT_EQ(cycles[i] - cycles[i - 1], 4U);
  EXPECT_EQ(sm.slots(SlotReason::dep_reissue), 100U * 3);
  EXPECT_EQ(sm.slots(SlotReason::dep_alu), 0U);
  expect_sums_close(sm);
}

// Collange 2010, table 6: a multiplication on the SFU takes 26-28 SP cycles; moves can be marked for it.
TEST(SmLatency, a_move_marked_for_the_sfu_takes_its_latency) {
  SmUnderTest sm;
  sm.run(repeat(20, move_on_sfu(1, 1)), 1);
  EXPECT_EQ(sm.issue_cycles(0)[10] - sm.issue_cycles(0)[9], 13U);
  EXPECT_EQ(sm.warp_cycles(SlotReason::dep_sfu), 19U * (13 - 4));
}

// Collange 2010, section 8: 2 SP cycles for each instruction when MAD unit and SFU work side by side.
TEST(SmThroughput, multiplications_use_the_sfu_while_the_mad_unit_is_taken) {
  for (const std::string policy : {"loose_round_robin", "oldest", "gto", "two_level", "age_and_type"}) {
    std::vector<Instruction> code;
    for (unsigned i = 0; i < 200; ++i)
      code.push_back(i % 2 == 0 ? mad(1 + i % 20, 30, 30, 30) : multiply(1 + i % 20, 30));
    code.push_back(last());
    SmUnderTest sm;
    sm.spec.scheduler = policy;
    sm.spec.dual_issue_share = 1.0;
    sm.run(code, 24);
    const double cpi = static_cast<double>(sm.end) / (200.0 * 24);
    // The policies that prefer old warps keep few warps going, which now and then all want the same unit.
    EXPECT_LT(cpi, policy == "oldest" || policy == "gto" ? 1.15 : 1.05) << policy;
    EXPECT_GT(sm.units().sfu_multiplications(), 24U * 75) << policy;
    expect_sums_close(sm);
    SmUnderTest single;
    single.spec.scheduler = policy;
    single.spec.dual_issue_mul = false;
    single.run(code, 24);
    EXPECT_NEAR(static_cast<double>(single.end) / (200.0 * 24), 2.0, 0.02) << policy;
    EXPECT_EQ(single.units().sfu_multiplications(), 0U);
    expect_sums_close(single);
  }
}

// One special function and four MADs in 16 SP cycles: both units saturated.
TEST(SmThroughput, special_functions_and_mads_overlap) {
  std::vector<Instruction> code;
  for (unsigned i = 0; i < 200; ++i) code.push_back(i % 5 == 0 ? special(1 + i % 20, 30) : mad(1 + i % 20, 30, 30, 30));
  code.push_back(last());
  SmUnderTest sm;
  sm.run(code, 24);
  EXPECT_NEAR(static_cast<double>(sm.end) / (40.0 * 24), 8.0, 0.25);
  expect_sums_close(sm);
}

// Warps 0 and 16 share a bank: their MADs with three operands cannot both read at once.
TEST(SmRegisters, warps_of_one_bank_wait_for_each_other) {
  SmUnderTest apart, shared;
  shared.spec.register_file.banks = 1;
  for (SmUnderTest* sm : {&apart, &shared}) {
    sm->run(repeat(100, mad(1, 1, 2, 3)), 16);
    expect_sums_close(*sm);
  }
  EXPECT_EQ(apart.registers().read_conflict_cycles(), 0U);
  EXPECT_EQ(apart.slots(SlotReason::pipe_collector), 0U);
  EXPECT_NEAR(static_cast<double>(apart.end) / (100 * 16), 2.0, 0.05);
  // Three reads for each instruction from the only bank: three cycles each instead of two.
  EXPECT_NEAR(static_cast<double>(shared.end) / (100 * 16), 3.0, 0.05);
  EXPECT_GT(shared.slots(SlotReason::pipe_collector), 1400U);
}

// A special function (21 cycles) and a MAD (10) that would write in the same cycle: the second waits one cycle.
TEST(SmRegisters, results_of_one_bank_take_turns_at_the_write_port) {
  SmUnderTest sm;
  std::vector<Instruction> code = {special(1, 2), mad(3, 30, 30, 30), mad(4, 30, 30, 30), multiply(5, 30)};
  sm.spec.latency.sfu = 28;  // 14 cycles: issued in 0, written in 14; the mad issued in 4 is written in 14, too
  code.push_back(last());
  sm.run(code, 1);
  EXPECT_EQ(sm.registers().write_conflict_cycles(), 1U);
  expect_sums_close(sm);
}

// n warps of dependent MADs: one instruction per max(2, L/n) cycles.
TEST(SmThroughput, dependent_mads_of_n_warps_follow_the_latency_law) {
  constexpr double latency = 12;
  constexpr unsigned count = 400;
  for (unsigned warps : {1U, 2U, 3U, 4U, 5U, 6U, 8U, 16U, 32U}) {
    SmUnderTest sm;
    sm.run(repeat(count, mad(1, 1, 2, 3)), warps, 1);
    const double cycles = static_cast<double>(sm.stream->issues.back().cycle - sm.stream->issues.front().cycle);
    const double cpi = cycles / (count * warps);
    EXPECT_NEAR(cpi, std::max(2.0, latency / warps), 0.005 * std::max(2.0, latency / warps) + 0.05) << warps;
    if (warps > 6) {
      EXPECT_NEAR(static_cast<double>(sm.slots(SlotReason::pipe_sp)), count * warps, 0.02 * count * warps) << warps;
      EXPECT_LT(sm.slots(SlotReason::dep_alu), 30U) << warps;
    }
    expect_sums_close(sm);
  }
}

TEST(SmThroughput, special_functions_keep_their_pipe_busy_seven_slots_of_eight) {
  SmUnderTest sm;
  sm.run(repeat(200, special(1, 2)), 8);
  EXPECT_NEAR(static_cast<double>(sm.slots(SlotReason::pipe_sfu)) / static_cast<double>(sm.end), 7.0 / 8, 0.01);
  expect_sums_close(sm);
}

TEST(SmThroughput, double_precision_keeps_its_pipe_busy_fifteen_slots_of_sixteen) {
  SmUnderTest sm;
  sm.run(repeat(200, double_mad(2, 4, 6, 8)), 8);
  EXPECT_NEAR(static_cast<double>(sm.slots(SlotReason::pipe_dp)) / static_cast<double>(sm.end), 15.0 / 16, 0.01);
  expect_sums_close(sm);
}

// Collange 2010, table 6: 58 SP cycles with one 64-bit operand, 66 with three.
TEST(SmLatency, double_precision_depends_on_the_number_of_operands) {
  for (const auto& [instruction, latency] :
       std::vector<std::pair<Instruction, SmCycle>>{{double_mad(2, 2, 2, 2), 29}, {double_mad(2, 2, 4, 6), 33}}) {
    SmUnderTest sm;
    sm.run(repeat(20, instruction), 1);
    EXPECT_EQ(sm.issue_cycles(0)[10] - sm.issue_cycles(0)[9], latency);
  }
}

// Collange 2010, section 8.2: 16 SM cycles, taken or not.
TEST(SmLatency, a_branch_takes_sixteen_cycles) {
  SmUnderTest sm;
  sm.run(repeat(10, branch()), 1);
  EXPECT_EQ(sm.issue_cycles(0)[5] - sm.issue_cycles(0)[4], 16U);
  EXPECT_EQ(sm.slots(SlotReason::branch), 10U * 15);
  expect_sums_close(sm);
}

// Collange 2010, section 8.2: set to dependent predicated instruction 15 SM cycles, 4 without the dependence.
TEST(SmLatency, flags_are_ready_after_fifteen_cycles) {
  SmUnderTest sm;
  sm.run({set_flags(0, 1), predicated(mad(2, 3, 3, 3), 0), set_flags(1, 1), predicated(mad(2, 3, 3, 3), 0), last()}, 1);
  const std::vector<SmCycle> cycles = sm.issue_cycles(0);
  EXPECT_EQ(cycles[1] - cycles[0], 15U);
  EXPECT_EQ(cycles[3] - cycles[2], 6U) << "the wait is for the earlier write of $r2, not for flags";
}

// An n-way conflict in both half-warps: n-1 replays each; n passes take 8n cycles.
TEST(SmSharedMemory, conflicts_replay_once_per_pass_and_half_warp) {
  for (unsigned degree : {1U, 2U, 4U, 8U, 16U}) {
    SmUnderTest sm;
    sm.shape = [degree](unsigned, std::uint32_t, WarpInst& out) {
      if (out.shared.lanes == 0) return;
      out.shared.uniform = false;
      for (unsigned lane = 0; lane < warp_size; ++lane) out.shared.address[lane] = 4 * degree * lane;
    };
    sm.run({shared_load(1), mad(2, 1, 1, 1), last()}, 1);
    EXPECT_EQ(sm.slots(SlotReason::replay_shared_bank), 2U * (degree - 1));
    EXPECT_EQ(sm.pcs[0].shared.accesses, 2U);
    EXPECT_EQ(sm.pcs[0].shared.degree[degree], 2U);
    // The second half-warp of the last round issues one cycle after the first.
    const SmCycle last_slot = degree == 1 ? 0 : 1;
    EXPECT_EQ(sm.issue_cycles(0)[1] - sm.issue_cycles(0)[0], 8 * degree + 10 + last_slot) << degree;
    expect_sums_close(sm);
  }
}

TEST(SmSharedMemory, a_broadcast_needs_one_pass) {
  SmUnderTest sm;
  sm.run(repeat(10, shared_load(1)), 1);
  EXPECT_EQ(sm.slots(SlotReason::replay_shared_bank), 0U);
  EXPECT_EQ(sm.pcs[0].shared.degree[1], 2U);
}

TEST(SmConstantMemory, different_words_are_served_one_after_the_other) {
  SmUnderTest sm;
  sm.shape = [](unsigned, std::uint32_t, WarpInst& out) {
    if (out.constant.lanes == 0) return;
    out.constant.uniform = false;
    for (unsigned lane = 0; lane < warp_size; ++lane) out.constant.address[lane] = 4 * (lane % 4);
  };
  sm.run({constant_load(1), last()}, 1);
  EXPECT_EQ(sm.slots(SlotReason::replay_const), 2U * 3);
  expect_sums_close(sm);
}

TEST(SmMemory, a_pointer_chase_waits_for_global_memory_only) {
  SmUnderTest sm({}, 300);
  sm.run(repeat(50, global_load(1, 1)), 1);
  const std::vector<SmCycle> cycles = sm.issue_cycles(0);
  const SmCycle step = cycles[20] - cycles[19];
  EXPECT_GE(step, 300U);
  EXPECT_EQ(sm.slots(SlotReason::mem_global), 49U * (step - 4));
  EXPECT_EQ(sm.stream->completed, 50U);
  expect_sums_close(sm);
}

TEST(SmMemory, a_warp_has_at_most_five_loads_in_flight) {
  SmUnderTest sm({}, 300);
  std::vector<Instruction> code;
  for (unsigned i = 0; i < 8; ++i) code.push_back(global_load(1 + i, 20));
  code.push_back(last());
  sm.run(code, 1);
  const std::vector<SmCycle> cycles = sm.issue_cycles(0);
  EXPECT_LT(cycles[4], cycles[0] + 30);
  EXPECT_GT(cycles[5], cycles[0] + 300);
  EXPECT_GT(sm.slots(SlotReason::mem_queue), 200U);
  expect_sums_close(sm);
}

TEST(SmMemory, stores_do_not_wait_for_the_loads_of_their_warp) {
  SmUnderTest sm({}, 300);
  std::vector<Instruction> code;
  for (unsigned i = 0; i < 5; ++i) code.push_back(global_load(1 + i, 20));
  for (unsigned i = 0; i < 3; ++i) code.push_back(global_store(20, 21));
  code.push_back(last());
  sm.run(code, 1);
  const std::vector<SmCycle> cycles = sm.issue_cycles(0);
  EXPECT_LT(cycles[7], cycles[0] + 100);
  expect_sums_close(sm);
}

// Nothing returns from memory that would write the address register.
TEST(SmMemory, a_store_that_moves_its_address_register_on_writes_it_as_an_addition_does) {
  SmUnderTest sm;
  sm.run(repeat(4, growing_local_store(1, 2)), 1);
  const std::vector<SmCycle> cycles = sm.issue_cycles(0);
  ASSERT_EQ(cycles.size(), 5U);
  for (unsigned i = 1; i < 4; ++i) EXPECT_EQ(cycles[i] - cycles[i - 1], sm_cycles(sm.spec.latency.alu)) << i;
  EXPECT_GT(sm.warp_cycles(SlotReason::dep_alu), 0U);
  EXPECT_EQ(sm.warp_cycles(SlotReason::mem_local), 0U);
  expect_sums_close(sm);
}

TEST(SmMemory, without_credits_the_queue_holds_the_path) {
  SmUnderTest sm({}, 400);
  sm.credits = 1;
  sm.run(repeat(6, global_store(1, 2)), 4);
  EXPECT_EQ(sm.sent.size(), 6U * 4 * 2);
  EXPECT_GT(sm.slots(SlotReason::mem_queue), 1000U);
  expect_sums_close(sm);
}

TEST(SmFrontEnd, an_instruction_that_no_lane_executes_costs_one_slot) {
  SmUnderTest sm;
  sm.shape = [](unsigned, std::uint32_t instruction, WarpInst& out) {
    if (instruction < 300) out.executed = 0;
  };
  sm.run(repeat(300, predicated(mad(1, 2, 2, 2), 0)), 16);
  const double cpi = static_cast<double>(sm.end) / (300.0 * 16);
  EXPECT_NEAR(cpi, 1.0, 0.02) << "the MAD unit (2 cycles) must not limit";
  expect_sums_close(sm);
}

TEST(SmBlocks, set_up_of_blocks_is_charged_to_the_start) {
  SmUnderTest sm;
  sm.run(repeat(5, mad(1, 1, 1, 1)), 2, 3);
  EXPECT_EQ(sm.completions.size(), 3U);
  EXPECT_EQ(sm.stream->finished_blocks, 3U);
  EXPECT_GE(sm.slots(SlotReason::empty_start), 8U);
  expect_sums_close(sm);
}

// Whatever the mix: sums close, and neither sleeping nor going on beyond the quantum changes a number.
RC_GTEST_PROP(SmProperties, sums_close_and_sleeping_and_going_on_change_nothing, ()) {
  const unsigned warps = *rc::gen::inRange(1U, 9U);
  const unsigned blocks = *rc::gen::inRange(1U, 4U);
  const auto kinds = *rc::gen::container<std::vector<unsigned>>(20, rc::gen::inRange(0U, 9U));
  const unsigned degree = 1U << *rc::gen::inRange(0U, 5U);
  const unsigned credits = *rc::gen::inRange(1U, 12U);
  std::vector<Instruction> code;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto r = static_cast<unsigned>(1 + i % 7);
    const std::vector<Instruction> menu = {mad(r, r, 2, 3),    special(r, 2),    double_mad(2 * r, 2, 4, 6),
                                           shared_load(r),     constant_load(r), global_load(r, 5),
                                           global_store(r, 3), barrier(),        branch()};
    code.push_back(menu[kinds[i]]);
  }
  code.push_back(last());
  std::vector<std::vector<std::uint64_t>> results;
  struct Manner {
    bool sleeping;
    SmCycle quantum, beyond;
  };
  for (const Manner& manner : {Manner{true, 1, 0}, Manner{false, 1, 0}, Manner{true, 12, 0}, Manner{true, 12, 200}}) {
    SmUnderTest sm({}, 60);
    sm.sleeping = manner.sleeping;
    sm.quantum = manner.quantum;
    sm.beyond = manner.beyond;
    sm.credits = credits;
    sm.shape = [degree](unsigned warp, std::uint32_t instruction, WarpInst& out) {
      out.shared.uniform = (warp + instruction) % 3 == 0;
      for (unsigned lane = 0; lane < warp_size; ++lane) out.shared.address[lane] = 4 * (degree * lane % 4096);
      if (out.memory == nullptr || warp % 2 == 0) return;
      for (unsigned lane = 0; lane < warp_size; ++lane) out.memory->address[lane] = 0x10000 + 128 * lane;
    };
    sm.run(code, warps, blocks);
    RC_ASSERT(sm.completions.size() == blocks);
    RC_ASSERT(sm.statistics.slots.sum() == sm.end);
    RC_ASSERT(sm.statistics.warp_cycles.sum() == sm.statistics.resident_warp_cycles);
    std::vector<std::uint64_t> numbers(sm.statistics.slots.counts.begin(), sm.statistics.slots.counts.end());
    numbers.insert(numbers.end(), sm.statistics.warp_cycles.counts.begin(), sm.statistics.warp_cycles.counts.end());
    for (const auto& issue : sm.stream->issues) numbers.push_back((issue.cycle * 64 + issue.warp).count());
    results.push_back(numbers);
  }
  for (const std::vector<std::uint64_t>& other : results) RC_ASSERT(other == results[0]);
}

}  // namespace
}  // namespace teslasim::testing
