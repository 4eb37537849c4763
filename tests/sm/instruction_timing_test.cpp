// SPDX-License-Identifier: Apache-2.0
// What an instruction takes of its pipe, for how long, by the keys of the SM.
#include "sim/sm/instruction_timing.h"

#include <gtest/gtest.h>

#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

InstructionTiming timing_of(Instruction instruction, const SmSpec& spec) {
  Kernel kernel;
  finish(instruction);
  kernel.code.push_back(instruction);
  return teslasim::timing_of(kernel, spec).front();
}

TEST(InstructionTiming, branches_and_barriers_leave_the_mad_unit_alone) {
  const SmSpec spec;
  EXPECT_EQ(timing_of(branch(), spec).pipe, Pipe::none);
  EXPECT_EQ(timing_of(barrier(), spec).pipe, Pipe::barrier);
}

TEST(InstructionTiming, on_g80_they_take_a_turn_of_it) {
  SmSpec spec;
  spec.control_on_mad = true;
  EXPECT_EQ(timing_of(branch(), spec).pipe, Pipe::control);
  EXPECT_EQ(timing_of(branch(), spec).interval, 2U) << "SM cycles: 32 lanes of eight";
  EXPECT_EQ(timing_of(branch(), spec).next_issue, timing_of(branch(), {}).next_issue) << "the latency stays";
  EXPECT_EQ(timing_of(barrier(), spec).pipe, Pipe::control);
  EXPECT_EQ(timing_of(barrier(), spec).next_issue, timing_of(barrier(), {}).next_issue);
  spec.barrier_threads_per_cycle = 2;
  EXPECT_EQ(timing_of(barrier(), spec).interval, 8U) << "as long as the arrivals take";
}

TEST(InstructionTiming, an_operand_in_shared_memory_holds_the_mad_unit_where_the_key_says_so) {
  SmSpec spec;
  spec.register_file.one_shared_operand = false;
  spec.register_file.shared_operand_cycles = 2;
  EXPECT_EQ(timing_of(shared_mad(1, 2, 3), spec).interval, 3U);
  EXPECT_EQ(timing_of(shared_load(1), spec).interval, 2U) << "a load has no other operand to wait for";
  EXPECT_EQ(timing_of(mad(1, 2, 3, 4), spec).interval, 2U);
  EXPECT_EQ(timing_of(shared_mad(1, 2, 3), {}).interval, 2U) << "elsewhere the collector waits";
}

TEST(InstructionTiming, a_guard_may_drop_what_executes_on_a_unit) {
  const SmSpec spec;
  EXPECT_TRUE(timing_of(predicated(mad(1, 2, 3, 4), 0), spec).may_be_dropped);
  EXPECT_TRUE(timing_of(predicated(shared_mad(1, 2, 3), 0), spec).may_be_dropped);
  EXPECT_TRUE(timing_of(predicated(global_load(1, 2), 0), spec).may_be_dropped);
  EXPECT_FALSE(timing_of(mad(1, 2, 3, 4), spec).may_be_dropped);
  EXPECT_FALSE(timing_of(predicated(branch(), 0), spec).may_be_dropped) << "it is taken or not";
}

// Decision 0076.
TEST(InstructionTiming, on_g80_what_touches_shared_memory_takes_its_turn_with_no_lane_left) {
  SmSpec spec;
  spec.drop_shared_operands = false;
  for (const Instruction& instruction : {shared_mad(1, 2, 3), shared_load(1)}) {
    const InstructionTiming timing = timing_of(predicated(instruction, 0), spec);
    EXPECT_TRUE(timing.executes_in_no_lane);
    EXPECT_FALSE(timing.may_be_dropped);
    EXPECT_FALSE(timing_of(instruction, spec).executes_in_no_lane) << "it has no guard";
  }
  EXPECT_TRUE(timing_of(predicated(mad(1, 2, 3, 4), 0), spec).may_be_dropped);
}

TEST(InstructionTiming, multiplications_go_to_either_unit_and_marked_moves_to_the_sfu) {
  SmSpec spec;
  EXPECT_EQ(timing_of(multiply(1, 2), spec).pipe, Pipe::mad_or_sfu);
  EXPECT_EQ(timing_of(move_on_sfu(1, 2), spec).pipe, Pipe::sfu_mul);
  spec.dual_issue_mul = false;
  EXPECT_EQ(timing_of(multiply(1, 2), spec).pipe, Pipe::mad);
  EXPECT_EQ(timing_of(move_on_sfu(1, 2), spec).pipe, Pipe::sfu_mul);
}

}  // namespace
}  // namespace teslasim::testing
