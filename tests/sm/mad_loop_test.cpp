// SPDX-License-Identifier: Apache-2.0
// Cycles per instruction of the published multiply-add loops (docs/decisions/0020-mad-cycles-per-instruction.md):
// dependent MADs with three operands, twelve to a loop; the difference of two trip counts, so that begin and end drop
// out.
#include <gtest/gtest.h>

#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

constexpr unsigned mads_per_loop = 12;

/// A loop closed by hand: the subtraction that counts also sets the flags of the branch.
void close_short(std::vector<Instruction>& code) {
  code.push_back(subtract_with_flags(5, 5, 6, 0));
  code.push_back(predicated(branch(), 0));
}
/// A loop as compilers of the time closed it: add, set, branch.
void close_long(std::vector<Instruction>& code) {
  code.push_back(add(5, 5, 6));
  code.push_back(set_flags(0, 5));
  code.push_back(predicated(branch(), 0));
}

struct MadLoop {
  void (*close)(std::vector<Instruction>&);
  bool executed;
  unsigned warps;
  unsigned alu_latency;  ///< SP cycles, one operand
  bool control_on_mad = false;
};

SmCycle run_loops(const MadLoop& loop, unsigned trips) {
  std::vector<Instruction> code;
  for (unsigned trip = 0; trip < trips; ++trip) {
    for (unsigned i = 0; i < mads_per_loop; ++i) code.push_back(predicated(mad(1, 1, 2, 3), 1));
    loop.close(code);
  }
  code.push_back(last());
  const auto length = static_cast<unsigned>((code.size() - 1) / trips);
  SmUnderTest sm;
  sm.spec.latency.alu = loop.alu_latency;
  sm.spec.control_on_mad = loop.control_on_mad;
  if (!loop.executed) {
    sm.shape = [length](unsigned, std::uint32_t instruction, WarpInst& out) {
      if (instruction % length < mads_per_loop) out.executed = 0;
    };
  }
  sm.run(std::move(code), loop.warps);
  EXPECT_EQ(sm.statistics.slots.sum(), sm.end);
  return sm.end;
}

/// SP cycles per MAD.
double cycles_per_mad(const MadLoop& loop) {
  const SmCycle cycles = run_loops(loop, 60) - run_loops(loop, 20);
  return 2.0 * static_cast<double>(cycles) / (40.0 * mads_per_loop * loop.warps);
}

// Collange 2010, table 5. On G80 the branch takes a turn of the MAD unit (decision 0073), which dropped MADs do not
// wait for.
TEST(MadLoop, predicated_mads_as_measured_by_collange) {
  EXPECT_NEAR(cycles_per_mad({close_short, true, 32, 20}), 4.30, 0.02 * 4.30) << "GT200, true";
  EXPECT_NEAR(cycles_per_mad({close_short, true, 24, 18}), 4.29, 0.02 * 4.29) << "G92, true";
  EXPECT_NEAR(cycles_per_mad({close_short, false, 32, 20}), 2.36, 0.02 * 2.36) << "GT200, false";
  EXPECT_NEAR(cycles_per_mad({close_short, false, 24, 18}), 2.39, 0.025 * 2.39) << "G92, false";
  EXPECT_NEAR(cycles_per_mad({close_short, true, 24, 18, true}), 4.75, 0.02 * 4.75) << "G80, true";
  EXPECT_NEAR(cycles_per_mad({close_short, false, 24, 18, true}), 2.38, 0.05 * 2.38) << "G80, false";
}

// Zhang & Owens 2011, section 5.1: 8.39, 9.05 and 9.33 Ginstr/s on the 30 SMs of a GTX 285 at 1.48 GHz.
TEST(MadLoop, mads_as_measured_by_zhang_and_owens) {
  EXPECT_NEAR(cycles_per_mad({close_long, true, 6, 20}), 5.29, 0.05 * 5.29);
  EXPECT_NEAR(cycles_per_mad({close_long, true, 16, 20}), 4.91, 0.05 * 4.91);
  EXPECT_NEAR(cycles_per_mad({close_long, true, 32, 20}), 4.76, 0.05 * 4.76);
}

}  // namespace
}  // namespace teslasim::testing
