// SPDX-License-Identifier: Apache-2.0
// Datasheet of the first-level caches in the SM: what a miss costs, whom it concerns, what is asked of the second
// level.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

constexpr unsigned per_block = 8;     ///< instructions of 8 bytes in a fetch block of 64
constexpr unsigned per_line = 32;     ///< ... in a line of 256
constexpr SmCycle alone = 4;          ///< SM cycles between two instructions of a warp
constexpr SmCycle line_latency = 40;  ///< of the bench

std::vector<Instruction> independent(unsigned count) {
  std::vector<Instruction> code;
  for (unsigned i = 0; i + 1 < count; ++i) code.push_back(mad(2 * (i % 8) + 1, 20, 21, 22));
  code.push_back(last());
  return code;
}

SmUnderTest with_instruction_cache(InstructionCacheSpec cache = {}) {
  SmUnderTest sm;
  sm.spec.icache = cache;
  return sm;
}

SmUnderTest with_constant_cache(ConstantCacheSpec cache = {}) {
  SmUnderTest sm;
  sm.spec.const_cache = cache;
  return sm;
}

TEST(InstructionCache, a_cold_line_is_asked_for_once_and_the_wait_is_charged_to_fetch) {
  SmUnderTest sm = with_instruction_cache();
  sm.run(independent(per_line), 1);
  ASSERT_EQ(sm.lines.size(), 1U);
  EXPECT_EQ(sm.lines[0].address, 0U);
  EXPECT_EQ(sm.lines[0].bytes, 256U);
  EXPECT_EQ(sm.lines[0].kind, LineKind::instruction);
  const auto cycles = sm.issue_cycles(0);
  for (unsigned i = 1; i < per_line; ++i) EXPECT_EQ(cycles[i] - cycles[i - 1], alone) << i;
}

TEST(InstructionCache, each_further_line_costs_its_latency_and_one_fetch) {
  SmUnderTest ideal;
  ideal.run(independent(3 * per_line), 1);
  SmUnderTest sm = with_instruction_cache();
  sm.run(independent(3 * per_line), 1);
  EXPECT_EQ(sm.lines.size(), 3U);
  const auto cycles = sm.issue_cycles(0);
  for (unsigned i = 1; i < 3 * per_line; ++i) {
    // The request leaves in the cycle of the fetch; when the line has come, the fetch is made once more.
    const SmCycle miss = i % per_line == 0 ? line_latency + 1 : 0;
    EXPECT_EQ(cycles[i] - cycles[i - 1], alone + miss) << i;
  }
  EXPECT_EQ(sm.slots(SlotReason::fetch) - ideal.slots(SlotReason::fetch), 3 * (line_latency + 1));
}

TEST(InstructionCache, warps_that_miss_the_same_line_share_one_request) {
  SmUnderTest sm = with_instruction_cache();
  sm.run(independent(2 * per_line), 8);
  EXPECT_EQ(sm.lines.size(), 2U);
}

TEST(InstructionCache, a_full_table_of_misses_makes_a_warp_ask_again) {
  SmUnderTest sm = with_instruction_cache({.bytes = 256, .ways = 1, .line_bytes = 64, .misses = 1});
  sm.run(independent(4 * per_block), 6);
  EXPECT_GE(sm.lines.size(), 4U);
  EXPECT_EQ(sm.stream->issues.size(), 6U * 4 * per_block);
  EXPECT_EQ(sm.completions.size(), 1U);
}

TEST(InstructionCache, sleeping_changes_nothing) {
  const auto run = [](bool sleeping) {
    SmUnderTest sm = with_instruction_cache({.bytes = 512, .ways = 2, .line_bytes = 64, .misses = 2});
    sm.spec.const_cache = {.bytes = 128, .ways = 1, .misses = 1};
    sm.sleeping = sleeping;
    sm.shape = [](unsigned warp, std::uint32_t instruction, WarpInst& out) {
      out.constant.address[0] = 64 * ((warp + instruction) % 5);
    };
    auto code = independent(5 * per_block);
    for (unsigned i = 3; i < code.size() - 1; i += 7) code[i] = constant_load(30);
    sm.run(code, 5, 2);
    return std::pair{sm.statistics.slots, sm.statistics.warp_cycles};
  };
  EXPECT_EQ(run(true), run(false));
}

/// Two reads of the same word: the first misses, issues once more when the line has come, the second hits.
TEST(ConstantCache, a_missing_line_sends_the_instruction_back_to_the_queue) {
  SmUnderTest ideal;
  ideal.run({constant_load(1), constant_load(2), last()}, 1);
  SmUnderTest sm = with_constant_cache();
  sm.run({constant_load(1), constant_load(2), last()}, 1);
  ASSERT_EQ(sm.lines.size(), 1U);
  EXPECT_EQ(sm.lines[0].bytes, 64U);
  EXPECT_EQ(sm.lines[0].kind, LineKind::constant);
  EXPECT_EQ(sm.pcs[0].constant.retries, 1U);
  EXPECT_EQ(sm.pcs[1].constant.retries, 0U);
  EXPECT_EQ(sm.slots(SlotReason::replay_const), 1U);
  EXPECT_EQ(sm.slots(SlotReason::mem_const) - ideal.slots(SlotReason::mem_const), line_latency - 1);
  const SmCycle without = ideal.issue_cycles(0)[1] - ideal.issue_cycles(0)[0];
  EXPECT_EQ(sm.issue_cycles(0)[1] - sm.issue_cycles(0)[0], without + line_latency);
}

TEST(ConstantCache, lanes_on_several_lines_ask_for_all_of_them_and_then_take_a_pass_per_word) {
  SmUnderTest sm = with_constant_cache();
  sm.shape = [](unsigned, std::uint32_t instruction, WarpInst& out) {
    if (instruction != 0) return;
    out.constant.uniform = false;
    for (unsigned lane = 0; lane < warp_size; ++lane) out.constant.address[lane] = 64 * (lane % 8);
  };
  sm.run({constant_load(1), last()}, 1);
  EXPECT_EQ(sm.lines.size(), 8U) << "with room for four misses, the rest follows when lines come";
  EXPECT_EQ(sm.pcs[0].constant.replays, 2U * 7) << "eight words for each half-warp";
  EXPECT_EQ(sm.slots(SlotReason::replay_const), 1U + 2 * 7);
}

TEST(ConstantCache, banks_lie_apart) {
  SmUnderTest sm = with_constant_cache();
  Instruction other = constant_load(2);
  other.source[0].bank = 0;
  sm.run({constant_load(1), other, last()}, 1);
  ASSERT_EQ(sm.lines.size(), 2U);
  EXPECT_EQ(sm.lines[0].address - sm.lines[1].address, 0x10000U);
}

TEST(ConstantCache, a_walk_over_more_than_it_holds_misses_always) {
  const auto lines_of_second_pass = [](unsigned lines) {
    SmUnderTest sm = with_constant_cache();
    sm.shape = [lines](unsigned, std::uint32_t instruction, WarpInst& out) {
      out.constant.address[0] = 64 * (instruction % lines);
    };
    std::vector<Instruction> code(2 * lines, constant_load(1));
    code.push_back(last());
    sm.run(code, 1);
    return sm.lines.size() - lines;
  };
  EXPECT_EQ(lines_of_second_pass(32), 0U) << "2 KB";
  EXPECT_EQ(lines_of_second_pass(40), 40U) << "every set has five lines for its four ways";
}

}  // namespace
}  // namespace teslasim::testing
