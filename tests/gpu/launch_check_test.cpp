// SPDX-License-Identifier: Apache-2.0
// What a machine refuses to start, and what it says.
#include "sim/gpu/launch_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "sim/gpu/machine/machine_loader.h"
#include "sim/gpu/machine/occupancy.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const MachineSpec& gtx280() {
  static const MachineSpec machine = load_machine({"gtx280"}, {}).spec;
  return machine;
}

const MachineSpec& g80() {
  static const MachineSpec machine = load_machine({"8800gtx"}, {}).spec;
  return machine;
}

LaunchDemand usual() {
  LaunchDemand demand;
  demand.kernel = "saxpy";
  demand.grid = {64, 64, 1};
  demand.block = {16, 16, 1};
  demand.registers_per_thread = 10;
  demand.shared_bytes = 2048;
  return demand;
}

std::vector<std::string> codes(const MachineSpec& machine, const LaunchDemand& demand) {
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : check_launch(machine, demand)) found.push_back(diagnostic.code);
  return found;
}

TEST(LaunchCheck, UsualLaunchIsFine) {
  EXPECT_THAT(codes(gtx280(), usual()), IsEmpty());
  EXPECT_THAT(codes(g80(), usual()), IsEmpty());
}

TEST(LaunchCheck, LargestLaunchIsFine) {
  LaunchDemand demand = usual();
  demand.grid = {65535, 65535, 1};
  demand.block = {8, 1, 64};
  demand.registers_per_thread = 32;
  demand.shared_bytes = 16384;
  EXPECT_THAT(codes(gtx280(), demand), IsEmpty());
}

TEST(LaunchCheck, GridLimits) {
  for (const std::array<std::uint32_t, 3>& grid :
       {std::array{0U, 1U, 1U}, std::array{1U, 0U, 1U}, std::array{1U, 1U, 0U}, std::array{1U, 1U, 2U},
        std::array{65536U, 1U, 1U}, std::array{1U, 65536U, 1U}}) {
    LaunchDemand demand = usual();
    demand.grid = grid;
    EXPECT_THAT(codes(gtx280(), demand), ElementsAre("LAUNCH-GRID"));
  }
}

TEST(LaunchCheck, BlockLimits) {
  for (const std::array<std::uint32_t, 3>& block :
       {std::array{0U, 1U, 1U}, std::array{513U, 1U, 1U}, std::array{16U, 16U, 3U}, std::array{1U, 1U, 65U},
        std::array{65536U, 65536U, 65536U}, std::array{~0U, ~0U, ~0U}}) {
    LaunchDemand demand = usual();
    demand.block = block;
    EXPECT_THAT(codes(gtx280(), demand), ElementsAre("LAUNCH-BLOCK"));
  }
}

TEST(LaunchCheck, BlockMayNotHaveMoreWarpsThanAnSm) {
  const MachineSpec tiny = load_machine({"tiny"}, {"gpu.max_threads_per_cta=512"}).spec;
  LaunchDemand demand = usual();
  demand.block = {257, 1, 1};
  EXPECT_THAT(codes(tiny, demand), ElementsAre("LAUNCH-BLOCK"));
}

TEST(LaunchCheck, RegistersSayWhatWouldFit) {
  LaunchDemand demand = usual();
  demand.block = {512, 1, 1};
  demand.registers_per_thread = 17;
  demand.where = {"saxpy.launch.toml", 4, 1, 1};
  const std::vector<Diagnostic> found = check_launch(g80(), demand);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(render(found[0]),
            "error[LAUNCH-REGISTERS]: kernel 'saxpy': a block of 512 threads with 17 registers each takes 8704 "
            "registers, an SM of GeForce 8800 GTX has 8192\n"
            "  --> saxpy.launch.toml:4:1\n"
            "   = help: with 512 threads per block at most 16 registers per thread fit; with 17 registers at most 448 "
            "threads\n");
  demand.registers_per_thread = 125;
  EXPECT_THAT(check_launch(gtx280(), demand).at(0).message, HasSubstr("125 registers per thread"));
}

TEST(LaunchCheck, MoreThreadsThanTheKernelWasCompiledFor) {
  LaunchDemand demand = usual();
  demand.block = {16, 16, 1};
  demand.most_threads = 256;
  EXPECT_THAT(codes(gtx280(), demand), ElementsAre());
  demand.most_threads = 255;
  EXPECT_THAT(codes(gtx280(), demand), ElementsAre("LAUNCH-BOUNDS"));
  EXPECT_THAT(check_launch(gtx280(), demand).at(0).message,
              HasSubstr("the block 16x16x1 has 256 threads, the kernel was compiled for at most 255"));
}

TEST(LaunchCheck, SharedMemory) {
  LaunchDemand demand = usual();
  demand.shared_bytes = 16385;
  const std::vector<Diagnostic> found = check_launch(gtx280(), demand);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "LAUNCH-SHARED");
  EXPECT_EQ(found[0].message,
            "kernel 'saxpy': a block takes 16385 bytes of shared memory, an SM of GeForce GTX 280 has 16384");
}

TEST(LaunchCheck, CodeNewerThanTheMachine) {
  LaunchDemand demand = usual();
  demand.sm_level = 13;
  EXPECT_THAT(codes(gtx280(), demand), IsEmpty());
  const std::vector<Diagnostic> found = check_launch(g80(), demand);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "ISA-LEVEL");
  EXPECT_EQ(found[0].message, "kernel 'saxpy': the code is for sm_13, the machine is sm_10");
  EXPECT_THAT(found[0].help, HasSubstr("-c gtx280"));
}

TEST(LaunchCheck, DoublePrecisionWithoutItsUnit) {
  LaunchDemand demand = usual();
  demand.sm_level = 13;
  demand.uses_double = true;
  EXPECT_THAT(codes(gtx280(), demand), IsEmpty());
  MachineSpec without = gtx280();
  without.sm.dp_units = 0;
  const std::vector<Diagnostic> found = check_launch(without, demand);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "ISA-LEVEL");
  EXPECT_EQ(found[0].message, "kernel 'saxpy': the code has f64 instructions, the machine has no unit for them");
  demand.uses_double = false;
  EXPECT_THAT(codes(without, demand), IsEmpty());
}

TEST(LaunchCheck, EverythingWrongIsSaidAtOnce) {
  LaunchDemand demand = usual();
  demand.sm_level = 13;
  demand.grid = {1, 1, 2};
  demand.block = {512, 1, 1};
  demand.registers_per_thread = 64;
  demand.shared_bytes = 20000;
  EXPECT_THAT(codes(g80(), demand), ElementsAre("ISA-LEVEL", "LAUNCH-GRID", "LAUNCH-REGISTERS", "LAUNCH-SHARED"));
}

RC_GTEST_PROP(LaunchCheckProperty, AcceptsExactlyWhatHasOccupancy, ()) {
  LaunchDemand demand = usual();
  demand.block = {*rc::gen::inRange(1U, 600U), 1, 1};
  demand.registers_per_thread = *rc::gen::inRange(0U, 130U);
  demand.shared_bytes = *rc::gen::inRange(0U, 20000U);
  const bool fits =
      compute_occupancy(g80(), {demand.block[0], demand.registers_per_thread, demand.shared_bytes}).ctas_per_sm > 0;
  RC_ASSERT(check_launch(g80(), demand).empty() == fits);
}

}  // namespace
}  // namespace teslasim
