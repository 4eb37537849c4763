// SPDX-License-Identifier: Apache-2.0
// The stacks of the closed forms, exactly: what a run of n more instructions adds to time, issue slots and warp cycles.
// Differences of two lengths, so that beginning and end drop out.
#include <gtest/gtest.h>

#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

struct Books {
  SmCycle cycles = 0;
  PerReason<> slots, warp_cycles;
};

Books books_of(const Instruction& instruction, unsigned count, unsigned warps, const SmSpec& spec,
               SmCycle memory_latency) {
  SmUnderTest sm(spec, memory_latency);
  std::vector<Instruction> code(count, instruction);
  code.push_back(last());
  sm.run(std::move(code), warps);
  EXPECT_EQ(sm.statistics.slots.sum(), sm.end);
  EXPECT_EQ(sm.statistics.warp_cycles.sum(), sm.statistics.resident_warp_cycles);
  return {sm.end, sm.statistics.slots, sm.statistics.warp_cycles};
}

constexpr unsigned short_run = 100, long_run = 300, more = long_run - short_run;

/// What `more` further instructions of each warp cost.
Books cost(const Instruction& instruction, unsigned warps, const SmSpec& spec = {}, SmCycle memory_latency = 200) {
  const Books few = books_of(instruction, short_run, warps, spec, memory_latency);
  Books many = books_of(instruction, long_run, warps, spec, memory_latency);
  many.cycles -= few.cycles;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    many.slots.counts[i] -= few.slots.counts[i];
    many.warp_cycles.counts[i] -= few.warp_cycles.counts[i];
  }
  return many;
}

/// All rows that are not named are 0.
void expect_rows(const PerReason<>& counts, std::vector<std::pair<SlotReason, SmCycle>> rows) {
  PerReason<> wanted;
  for (const auto& [reason, count] : rows) wanted[reason] = count.count();
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    EXPECT_EQ(counts.counts[i], wanted.counts[i]) << slot_reasons[i].name;
  }
}

constexpr SmCycle mad_latency = 12;  // three operands on GT200: 24 SP cycles

TEST(ClosedForms, one_warp_of_dependent_mads) {
  const Books books = cost(mad(1, 1, 2, 3), 1);
  EXPECT_EQ(books.cycles, more * mad_latency);
  expect_rows(books.slots, {{SlotReason::issued, more},
                            {SlotReason::dep_reissue, more * 3},
                            {SlotReason::dep_alu, more * (mad_latency - 4)}});
  expect_rows(books.warp_cycles, {{SlotReason::issuing, more},
                                  {SlotReason::dep_reissue, more * 3},
                                  {SlotReason::dep_alu, more * (mad_latency - 4)}});
}

TEST(ClosedForms, one_warp_of_independent_mads) {
  const Books books = cost(mad(1, 30, 30, 30), 1, [] {
    SmSpec spec;
    spec.latency.alu = 8;  // the result is there when the warp may issue again
    return spec;
  }());
  EXPECT_EQ(books.cycles, more * 4);
  expect_rows(books.slots, {{SlotReason::issued, more}, {SlotReason::dep_reissue, more * 3}});
  expect_rows(books.warp_cycles, {{SlotReason::issuing, more}, {SlotReason::dep_reissue, more * 3}});
}

// One round of n warps takes max(latency, 2 n) cycles; the slots that are lost move from dep.alu to pipe.sp.
TEST(ClosedForms, n_warps_of_dependent_mads) {
  for (const std::string policy : {"age_and_type", "loose_round_robin"}) {
    for (unsigned warps : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 12U, 16U, 24U, 32U}) {
      SmSpec spec;
      spec.scheduler = policy;
      const Books books = cost(mad(1, 1, 2, 3), warps, spec);
      EXPECT_EQ(books.cycles, more * std::max<SmCycle>(mad_latency, 2 * warps)) << policy << ' ' << warps;
      EXPECT_EQ(books.slots[SlotReason::issued], more * warps);
      if (2 * warps > mad_latency) {
        expect_rows(books.slots, {{SlotReason::issued, more * warps}, {SlotReason::pipe_sp, more * warps}});
      }
    }
  }
}

TEST(ClosedForms, special_functions_only) {
  const Books books = cost(special(1, 2), 8);
  EXPECT_EQ(books.cycles, more * 8 * 8);
  expect_rows(books.slots, {{SlotReason::issued, more * 8}, {SlotReason::pipe_sfu, more * 8 * 7}});
}

TEST(ClosedForms, double_precision_only) {
  const Books books = cost(double_mad(2, 4, 6, 8), 8);
  EXPECT_EQ(books.cycles, more * 8 * 16);
  expect_rows(books.slots, {{SlotReason::issued, more * 8}, {SlotReason::pipe_dp, more * 8 * 15}});
}

// n passes take 8 n cycles before the dependent instruction's latency begins; the other half-warp follows by a cycle.
TEST(ClosedForms, bank_conflicts_add_their_replays_and_nothing_else_to_the_used_slots) {
  for (const unsigned degree : {1U, 2U, 4U, 8U, 16U}) {
    std::vector<Books> runs;
    for (const unsigned count : {short_run, long_run}) {
      SmUnderTest sm;
      sm.shape = [degree](unsigned, std::uint32_t, WarpInst& out) {
        if (out.shared.lanes == 0) return;
        out.shared.uniform = false;
        for (unsigned lane = 0; lane < warp_size; ++lane) out.shared.address[lane] = 4 * degree * lane;
      };
      std::vector<Instruction> code(count, shared_load(1));
      code.push_back(last());
      sm.run(std::move(code), 1);
      runs.push_back({sm.end, sm.statistics.slots, sm.statistics.warp_cycles});
    }
    const SmCycle replays =
        runs[1].slots[SlotReason::replay_shared_bank] - runs[0].slots[SlotReason::replay_shared_bank];
    EXPECT_EQ(replays, more * 2 * (degree - 1)) << degree;
    EXPECT_EQ(runs[1].slots[SlotReason::issued] - runs[0].slots[SlotReason::issued], more);
    EXPECT_EQ(runs[1].cycles - runs[0].cycles, more * (10 + 8 * degree + (degree > 1 ? 1 : 0))) << degree;
  }
}

// A multiply-add with an operand in shared memory has three operands to collect, one after the other, and only one
// instruction of its kind does so at a time: 6 SP cycles instead of 4 (Volkov & Demmel 2008; decision 0023). With a
// single register the unit is the limit again, and so it is when instructions on registers fill the gaps.
TEST(ClosedForms, a_shared_operand_makes_multiply_adds_wait_for_their_collector) {
  const Books three = cost(shared_mad(1, 2, 3), 16);
  EXPECT_EQ(three.cycles, more * 16 * 3);
  expect_rows(three.slots, {{SlotReason::issued, more * 16}, {SlotReason::pipe_collector, more * 16 * 2}});
  EXPECT_EQ(cost(shared_mad(1, 2, 2), 16).cycles, more * 16 * 2);
}

TEST(ClosedForms, without_the_limit_a_shared_operand_costs_a_multiply_add_nothing) {
  SmSpec spec;
  spec.register_file.one_shared_operand = false;
  EXPECT_EQ(cost(shared_mad(1, 2, 3), 16, spec).cycles, more * 16 * 2);
}

// A pointer chase of w warps: a round takes the latency, and all that is lost of it goes to global memory. The memory
// path takes a warp every two cycles, so only behind the load of a second warp is there still a cycle of the distance
// that one warp keeps between its instructions.
TEST(ClosedForms, pointer_chases_of_w_warps_wait_for_global_memory) {
  constexpr SmCycle distance = 3, path = 2;
  const SmCycle latency = cost(global_load(1, 1), 1).cycles / more;
  for (const unsigned warps : {1U, 2U, 3U, 4U, 5U, 8U, 16U, 32U}) {
    const Books books = cost(global_load(1, 1), warps);
    EXPECT_EQ(books.cycles, more * latency) << warps;
    const SmCycle reissue = distance - std::min(distance, path * (warps - 1));
    expect_rows(books.slots, {{SlotReason::issued, more * warps},
                              {SlotReason::dep_reissue, more * reissue},
                              {SlotReason::mem_global, more * (latency - warps - reissue)}});
  }
}

}  // namespace
}  // namespace teslasim::testing
