// SPDX-License-Identifier: Apache-2.0
// What a warp does next, alone: no operands, no memory.
#include "sim/exec/control_operations.h"

#include "tests/exec/program.h"

namespace teslasim::exec_test {
namespace {

struct Control {
  Program program;
  ExecutionContext context;
  ResidentWarps warps{context};
  ControlOperations control{context};

  explicit Control(const std::string& body, const ExecutionStreamOptions& options = {})
      : program(body), context(program.launch, options) {
    program.launch.block = {64, 1, 1};
    warps.start_block(0, 0, 0);
  }
  ResidentWarp& warp() { return warps[0]; }
  const Operation& operation(const Instruction& instruction) { return context.table.operations[instruction.index]; }
  /// Executes for `executed`; returns what comes next.
  const Instruction* step(LaneMask executed, WarpInst& out) {
    const Instruction* const instruction = control.next(warp());
    out.active = warp().control.active();
    out.executed = executed & out.active;
    if (operation(*instruction).route == Route::control) {
      control.execute(warp(), operation(*instruction), out);
    } else {
      control.leave(warp(), operation(*instruction), out.executed);
    }
    return control.next(warp());
  }
};

TEST(ControlOperationsUnit, instructions_follow_each_other_and_the_end_is_no_instruction) {
  Control control("nop\nreturn");
  WarpInst out;
  const Instruction* next = control.control.next(control.warp());
  unsigned instructions = 0;
  for (; next != nullptr && instructions < 20; ++instructions) next = control.step(all_lanes, out);
  EXPECT_EQ(next, nullptr);
  EXPECT_EQ(instructions, 5U) << "three of the head, two of the body";
}

TEST(ControlOperationsUnit, a_branch_of_some_lanes_diverges) {
  Control control("joinat after\nbra after\nnop\nafter: nop.join\nreturn");
  WarpInst out;
  for (unsigned i = 0; i < 4; ++i) (void)control.step(all_lanes, out);
  (void)control.step(0xffU, out);
  EXPECT_TRUE(out.divergent);
  EXPECT_NE(control.warp().control.active(), all_lanes);
}

TEST(ControlOperationsUnit, a_barrier_of_some_lanes_is_told_once_and_counted) {
  PartialBarriers partial;
  ExecutionStreamOptions options;
  options.partial_barriers = &partial;
  Control control("bar.sync.u32 0\nbra part\nnop\npart: bar.sync.u32 0\nbar.sync.u32 0\nreturn", options);
  WarpInst out;
  for (unsigned i = 0; i < 4; ++i) (void)control.step(all_lanes, out);
  EXPECT_EQ(partial.count, 0U) << "all lanes were at the first one";
  (void)control.step(0xffU, out);
  while (partial.count < 2 && control.step(all_lanes, out) != nullptr) continue;
  EXPECT_EQ(partial.count, 2U);
  EXPECT_EQ(partial.first.value().code, "KERNEL-BARRIER-DIVERGENT");
}

}  // namespace
}  // namespace teslasim::exec_test
