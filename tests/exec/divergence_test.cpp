// SPDX-License-Identifier: Apache-2.0
// Datasheet of control flow: who runs what, in which order, and where lanes meet again.
#include "tests/exec/program.h"

namespace teslasim::exec_test {
namespace {

using ::testing::Test;
using Masks = std::vector<LaneMask>;

/// out[thread] = $r3, as the last lines of a body.
const std::string store = "\nmov.u32 g[$r2], $r3\nreturn\n";

std::vector<std::uint32_t> results(const std::vector<std::uint32_t>& out, unsigned count = 32) {
  return {out.begin(), out.begin() + count};
}

std::vector<std::uint32_t> per_thread(const std::function<std::uint32_t(unsigned)>& value, unsigned count = 32) {
  std::vector<std::uint32_t> out;
  for (unsigned i = 0; i < count; ++i) out.push_back(value(i));
  return out;
}

TEST(Divergence, the_taken_path_runs_first_and_lanes_join_behind) {
  Program program(
      "mov.b32 $r4, 16\n"                 // 1
      "set.lt.u32 $p0|$o127, $r1, $r4\n"  // 2
      "join.label done\n"                 // 3
      "@$p0.ne bra.label then\n"          // 4
      "mov.b32 $r3, 2\n"                  // 5
      "bra.label done\n"                  // 6
      "then: mov.b32 $r3, 1\n"            // 7
      "done: nop.join" +
      store);  // 8
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return i < 16 ? 1U : 2U; }));
  EXPECT_EQ(program.lanes_at(7), Masks{0x0000ffff});
  EXPECT_EQ(program.lanes_at(5), Masks{0xffff0000});
  EXPECT_EQ(program.lanes_at(8), Masks{0xffffffff});  // once, by everybody
  std::vector<std::uint32_t> order;
  for (const Issued& record : program.issued) {
    if (record.line == 5 || record.line == 7) order.push_back(record.line);
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{7, 5}));
}

TEST(Divergence, a_uniform_branch_pushes_nothing) {
  Program program(
      "set.ge.u32 $p0|$o127, $r1, $r124\n"  // always
      "@$p0.ne bra.label over\n"
      "trap\n"
      "over: mov.b32 $r3, 7" +
      store);
  program.options.divergence_stack = 0;
  EXPECT_EQ(results(program.run()), per_thread([](unsigned) { return 7U; }));
  EXPECT_FALSE(program.issued[4].divergent);
}

TEST(Divergence, an_if_without_else_may_branch_straight_to_the_join) {
  Program program(
      "and.b32 $p0|$r4, $r1, $r1\n"
      "mov.b32 $r3, 5\n"
      "join.label done\n"
      "@$p0.eq bra.label done\n"  // thread 0 skips
      "add.u32 $r3, $r3, $r1\n"
      "done: add.join.u32 $r3, $r3, $r4" +
      store);  // the flag may sit on any instruction
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return i == 0 ? 5 : 5 + 2 * i; }));
  EXPECT_EQ(program.lanes_at(6), Masks{0xffffffff});
}

TEST(Divergence, a_loop_parks_the_lanes_that_stay_until_the_others_are_done) {
  Program program(
      "mov.b32 $r3, 0\n"
      "join.label done\n"
      "again: add.u32 $r3, $r3, 1\n"
      "set.le.u32 $p0|$o127, $r3, $r1\n"
      "@$p0.ne bra.label again\n"
      "done: nop.join" +
      store);
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return i + 1; }));
  EXPECT_EQ(program.lanes_at(6), Masks{0xffffffff});
  const Masks trips = program.lanes_at(3);
  ASSERT_EQ(trips.size(), 32U);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(trips[i], all_lanes << i);
}

TEST(Divergence, a_break_inside_an_if_inside_a_loop) {
  Program program(
      "mov.b32 $r3, 0\n"
      "join.label done\n"
      "breakaddr after\n"
      "again: add.u32 $r3, $r3, 1\n"
      "and.b32 $r5, $r1, 7\n"
      "join.label endif\n"
      "set.le.u32 $p0|$o127, $r5, $r3\n"
      "@$p0.eq bra.label endif\n"
      "add.u32 $r3, $r3, 100\n"
      "break\n"
      "endif: nop.join\n"
      "bra.label again\n"
      "after:\n"
      "done: nop.join" +
      store);
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return 100 + std::max(1U, i & 7U); }));
  EXPECT_EQ(program.lanes_at(14), Masks{0xffffffff});
}

TEST(Divergence, a_predicated_break_leaves_lanes_one_by_one) {
  Program program(
      "mov.b32 $r3, 0\n"
      "join.label done\n"
      "breakaddr done\n"
      "again: set.eq.u32 $p0|$o127, $r3, $r1\n"
      "@$p0.ne break\n"
      "add.u32 $r3, $r3, 1\n"
      "bra.label again\n"
      "done: nop.join" +
      store);
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return i; }));
  EXPECT_EQ(program.lanes_at(8), Masks{0xffffffff});
}

TEST(Divergence, a_return_inside_an_if_ends_those_threads) {
  Program program(
      "mov.b32 $r3, 1\n"
      "mov.u32 g[$r2], $r3\n"
      "mov.b32 $r4, 10\n"
      "join.label done\n"
      "set.lt.u32 $p0|$o127, $r1, $r4\n"
      "@$p0.eq bra.label done\n"
      "return\n"
      "done: nop.join\n"
      "mov.b32 $r3, 2" +
      store);
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return i < 10 ? 1U : 2U; }));
  EXPECT_EQ(program.lanes_at(8), Masks{0xfffffc00});
}

TEST(Divergence, an_early_return_may_be_predicated) {
  Program program(
      "mov.b32 $r4, 10\n"
      "set.lt.u32 $p0|$o127, $r1, $r4\n"
      "mov.b32 $r3, 3\n"
      "@$p0.ne return" +
      store);
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return i < 10 ? 0U : 3U; }));
}

TEST(Divergence, lanes_return_from_a_function_at_different_places) {
  Program program(
      "mov.b32 $r3, 0\n"
      "call function\n"
      "add.u32 $r3, $r3, 1000" +
      store +        // 3: after the call
      "function:\n"  // 6
      "mov.b32 $r4, 8\n"
      "set.lt.u32 $p0|$o127, $r1, $r4\n"
      "add.u32 $r3, $r3, 1\n"
      "@$p0.ne return\n"
      "add.u32 $r3, $r3, 10\n"
      "return\n");
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return i < 8 ? 1001U : 1011U; }));
  EXPECT_EQ(program.lanes_at(3), Masks{0xffffffff});
}

TEST(Divergence, a_return_from_inside_a_loop_of_a_function) {
  Program program(
      "mov.b32 $r3, 0\n"
      "call function\n"
      "mov.u32 g[$r2], $r3\n"
      "return\n"
      "function:\n"
      "breakaddr out\n"
      "again: add.u32 $r3, $r3, 1\n"
      "mov.b32 $r4, 20\n"
      "set.ge.u32 $p1|$o127, $r3, $r4\n"
      "@$p1.ne break\n"
      "set.ge.u32 $p0|$o127, $r3, $r1\n"
      "@$p0.ne return\n"
      "bra.label again\n"
      "out: add.u32 $r3, $r3, 500\n"
      "return\n");
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return i >= 20 ? 520U : std::max(1U, i); }));
  EXPECT_EQ(program.lanes_at(3), Masks{0xffffffff});
}

TEST(Divergence, calls_nest) {
  Program program(
      "mov.b32 $r3, 0\n"
      "call first\n"
      "add.u32 $r3, $r3, 1" +
      store +
      "first: add.u32 $r3, $r3, 10\n"
      "call second\n"
      "call second\n"
      "return\n"
      "second: add.u32 $r3, $r3, 100\n"
      "return\n");
  EXPECT_EQ(results(program.run()), per_thread([](unsigned) { return 211U; }));
}

/// A function that calls itself for ever, unless its calls are limited.
const std::string recursion =
    "mov.b32 $r3, 0\n"
    "call.lim deeper\n"
    "bra.label end\n"
    "deeper: add.u32 $r3, $r3, 1\n"
    "call.lim deeper\n"
    "add.u32 $r3, $r3, 0x100\n"
    "return\n"
    "end: nop" +
    store;

TEST(Divergence, a_limited_call_beyond_the_limit_does_nothing) {
  Program program(recursion);
  program.options.limited_calls = 5;
  program.options.divergence_stack = 5;
  EXPECT_EQ(results(program.run()), per_thread([](unsigned) { return 0x505U; }));
}

TEST(Divergence, only_limited_calls_count_against_the_limit_and_only_while_active) {
  Program program(
      "mov.b32 $r3, 0\n"
      "call.lim outer\n"
      "call.lim outer\n"
      "bra.label end\n"
      "outer: call inner\n"
      "call.lim inner\n"  // ignored: one is active
      "return\n"
      "inner: add.u32 $r3, $r3, 1\n"
      "return\n"
      "end: nop" +
      store);
  program.options.limited_calls = 1;
  EXPECT_EQ(results(program.run()), per_thread([](unsigned) { return 2U; }));
}

TEST(Divergence, lanes_return_from_limited_calls_one_by_one) {
  Program program(
      "mov.b32 $r3, 0\n"
      "call.lim deeper\n"
      "bra.label end\n"
      "deeper: add.u32 $r3, $r3, 1\n"
      "set.gt.u32 $p0|$o127, $r3, $r1\n"
      "@$p0.ne return\n"
      "call.lim deeper\n"
      "add.u32 $r3, $r3, 0x100\n"
      "return\n"
      "end: nop" +
      store);
  // Lane i returns from level i + 1; all meet again behind each call.
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return i + 1 + 0x100 * i; }));
}

TEST(Divergence, the_exit_flag_ends_the_thread_after_its_instruction) {
  Program program(
      "mov.b32 $r3, 9\n"
      "mov.end.u32 g[$r2], $r3\n"
      "trap\n");
  EXPECT_EQ(results(program.run()), per_thread([](unsigned) { return 9U; }));
  EXPECT_TRUE(program.issued.back().finished);
}

TEST(Divergence, nop_and_bar_ignore_a_condition_of_never) {
  Program program("nop\nbar.sync.u32 0\nmov.b32 $r3, 4" + store);
  for (Instruction& instruction : program.kernel().code) {
    if (instruction.opcode == Opcode::nop || instruction.opcode == Opcode::bar) instruction.condition = condition_never;
  }
  EXPECT_EQ(results(program.run()), per_thread([](unsigned) { return 4U; }));
  EXPECT_EQ(program.lanes_at(2), Masks{0xffffffff});
}

TEST(Divergence, an_instruction_whose_guard_fails_everywhere_does_nothing) {
  Program program(
      "mov.b32 $r3, 1\n"
      "set.lt.u32 $p0|$o127, $r1, $r124\n"  // never
      "@$p0.ne mov.u32 $r3, g[$r124]\n"     // would fault
      "mov.u32 g[$r2], $r3\nreturn\n");
  EXPECT_EQ(results(program.run()), per_thread([](unsigned) { return 1U; }));
  EXPECT_EQ(program.lanes_at(3), Masks{0});
}

TEST(Divergence, suppressed_lanes_keep_result_and_flags) {
  Program program(
      "mov.b32 $r3, 7\n"
      "set.lt.u32 $p0|$o127, $r1, $r3\n"
      "mov.b32 $r5, 0\n"
      "@$p0.ne add.u32 $p1|$r3, $r5, $r5\n"
      "mov.b32 $r4, $p1\n"
      "shl.u32 $r4, $r4, 8\n"
      "or.b32 $r3, $r3, $r4" +
      store);
  EXPECT_EQ(results(program.run()), per_thread([](unsigned i) { return i < 7 ? 0x100U : 7U; }));
}

// --- errors

TEST(DivergenceErrors, the_stack_has_the_configured_depth) {
  const std::string loop =
      "mov.b32 $r3, 0\n"
      "join.label done\n"
      "again: add.u32 $r3, $r3, 1\n"
      "set.le.u32 $p0|$o127, $r3, $r1\n"
      "@$p0.ne bra.label again\n"
      "done: nop.join" +
      store;
  Program enough(loop);
  enough.options.divergence_stack = 32;  // the join and 31 trips
  enough.run();
  Program small(loop);
  small.options.divergence_stack = 31;
  const Diagnostic fault = small.fault();
  EXPECT_EQ(fault.code, "KERNEL-STACK");
  EXPECT_EQ(fault.message, "divergence stack overflow");
  EXPECT_NE(fault.details.back().find("all 31 entries"), std::string::npos) << fault.details.back();
}

TEST(DivergenceErrors, entries_that_are_missing_or_of_another_kind) {
  EXPECT_EQ(Program("nop.join\nreturn").fault().message, "divergence stack is empty");
  EXPECT_EQ(Program("break\nreturn").fault().message, "divergence stack is empty");
  EXPECT_EQ(Program("breakaddr out\nout: nop.join\nreturn").fault().code, "KERNEL-STACK");
  EXPECT_EQ(Program("quadpop\nreturn").fault().code, "KERNEL-STACK");
}

TEST(DivergenceErrors, code_without_an_end_is_found) {
  Program program("mov.b32 $r3, 1\nreturn");
  program.kernel().code.pop_back();
  const Diagnostic fault = program.fault();
  EXPECT_EQ(fault.code, "KERNEL-PC");
  EXPECT_EQ(fault.where.file, "program.asm");
}

void set_barrier_threads(Kernel& kernel, std::uint16_t threads) {
  for (Instruction& instruction : kernel.code) {
    if (instruction.opcode == Opcode::bar) instruction.barrier().threads = threads;
  }
}

TEST(DivergenceErrors, a_barrier_for_more_threads_than_the_block_has_is_refused) {
  Program program("bar.sync.u32 0\nreturn");
  set_barrier_threads(program.kernel(), 64);
  EXPECT_EQ(program.fault().code, "KERNEL-BARRIER");
  Program fits("bar.sync.u32 0\nreturn");
  set_barrier_threads(fits.kernel(), 64);
  fits.block(64).run();
}

TEST(DivergenceErrors, a_trap_names_its_lanes) {
  const Diagnostic fault = Program(
                               "mov.b32 $r4, 3\n"
                               "set.eq.u32 $p0|$o127, $r1, $r4\n"
                               "join.label over\n"
                               "@$p0.eq bra.label over\n"
                               "trap\n"
                               "over: nop.join\n"
                               "return")
                               .fault();
  EXPECT_EQ(fault.code, "KERNEL-TRAP");
  EXPECT_NE(fault.details.back().find("lane 3 (mask 0x00000008)"), std::string::npos) << fault.details.back();
}

TEST(DivergenceErrors, endless_recursion_overflows_the_stack) {
  Program program(recursion);  // the limit is far beyond the stack
  const Diagnostic fault = program.fault();
  EXPECT_EQ(fault.code, "KERNEL-STACK");
  EXPECT_EQ(fault.message, "divergence stack overflow");
  EXPECT_NE(fault.help.find("sm.divergence_stack"), std::string::npos) << fault.help;
}

TEST(DivergenceErrors, a_break_point_stops_the_lanes_whose_guard_holds) {
  const std::string body =
      "mov.b32 $r4, 3\n"
      "set.eq.u32 $p0|$o127, $r1, $r4\n"
      "@$p0.";
  const Diagnostic fault = Program(body + "ne brkpt\nreturn").fault();
  EXPECT_EQ(fault.code, "KERNEL-TRAP");
  EXPECT_EQ(fault.message, "the kernel reached a break point");
  EXPECT_NE(fault.details.back().find("lane 3 (mask 0x00000008)"), std::string::npos) << fault.details.back();
  EXPECT_EQ(results(Program(body + "fl brkpt\nmov.b32 $r3, 6" + store).run()), per_thread([](unsigned) { return 6U; }));
}

TEST(DivergenceErrors, short_trap_and_break_point_stop_like_the_long_ones) {
  EXPECT_EQ(Program("trap.half\nmov.half.b32 $r1, $r2\nreturn").fault().message, "the kernel executed a trap");
  EXPECT_EQ(Program("brkpt.half\nmov.half.b32 $r1, $r2\nreturn").fault().message, "the kernel reached a break point");
}

}  // namespace
}  // namespace teslasim::exec_test
