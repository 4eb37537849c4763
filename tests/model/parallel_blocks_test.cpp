// SPDX-License-Identifier: Apache-2.0
// Datasheet of functional runs on several threads: whatever the kernel does, the outcome is that of one thread.
#include "sim/model/parallel_blocks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "frontend/text/assembler.h"
#include "memory/image/device_memory.h"
#include "tests/support/volume.h"

namespace teslasim {
namespace {

constexpr unsigned blocks = 2000, threads_per_block = 64;
constexpr std::uint64_t words = std::uint64_t{blocks} * threads_per_block;
constexpr unsigned fewer_passes = test::volume(60U, 12U);

/// `body` finds its thread's number in $r1, the address of its word in $r2, its block in $r3.
std::string kernel_of(const std::string& body, unsigned passes) {
  return R"(
.arch sm_13
.entry work
{
  .param ptr data
    mov.u32.u16 $r3, %ctaid.x
    and.b32     $r4, $r0, 0x0000ffff
    shl.u32     $r1, $r3, 6
    add.u32     $r1, $r1, $r4
    shl.u32     $r2, $r1, 2
    add.u32     $r2, s[data], $r2
)" + body +
         R"(
    mov.b32     $r20, )" +
         std::to_string(passes) + R"(
    mov.b32     $r21, 1
again:
    sub.u32     $p0|$r20, $r20, $r21
@$p0.ne bra.label again
    return
}
)";
}

struct WorkRun {
  WorkRun(const std::string& body, unsigned threads, unsigned passes = 60)
      : module(assemble_text(kernel_of(body, passes), "kernel.asm")) {
    launch.kernel = &module.kernels.front();
    launch.module = &module;
    launch.memory = &memory;
    launch.shared_bytes = launch.kernel->shared_bytes;
    launch.grid = {blocks, 1, 1};
    launch.block = {threads_per_block, 1, 1};
    data = memory.allocate("data", "u32", words * 4);
    launch.parameters.resize(4);
    std::memcpy(launch.parameters.data(), &data, 4);
    for (std::uint32_t i = 0; i < words; ++i) std::memcpy(memory.at(data + 4 * i), &i, 4);
    options.threads = threads;
    options.dependent = &dependent;
  }
  WorkRun& go() {
    outcome = run_functional(launch, options, control);
    return *this;
  }
  [[nodiscard]] std::vector<std::uint32_t> contents() const {
    std::vector<std::uint32_t> values(words);
    std::memcpy(values.data(), memory.at(data), words * 4);
    return values;
  }

  Module module;
  DeviceMemory memory;
  Launch launch;
  Address data = 0;
  FunctionalOptions options;
  std::set<const Kernel*> dependent;
  RunControl control;
  LaunchOutcome outcome;
};

void expect_the_same(const WorkRun& several, const WorkRun& one) {
  EXPECT_EQ(several.contents(), one.contents());
  const LaunchStatistics& a = several.outcome.statistics;
  const LaunchStatistics& b = one.outcome.statistics;
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.ctas_done, b.ctas_done);
  EXPECT_EQ(a.warp_instructions, b.warp_instructions);
  EXPECT_EQ(a.thread_instructions, b.thread_instructions);
  EXPECT_EQ(a.active_lane_sum, b.active_lane_sum);
  EXPECT_EQ(a.branches, b.branches);
  ASSERT_EQ(a.pcs.size(), b.pcs.size());
  for (std::size_t i = 0; i < a.pcs.size(); ++i) EXPECT_EQ(a.pcs[i].warp_issues, b.pcs[i].warp_issues) << i;
  ASSERT_EQ(several.outcome.errors.size(), one.outcome.errors.size());
  for (std::size_t i = 0; i < one.outcome.errors.size(); ++i) {
    EXPECT_EQ(several.outcome.errors[i].message, one.outcome.errors[i].message);
    EXPECT_EQ(several.outcome.errors[i].details, one.outcome.errors[i].details);
  }
}

struct Case {
  std::string name;
  std::string body;
  bool meets = false;  ///< its blocks meet in memory
};

const std::vector<Case> cases{
    {"words_of_its_own", "mov.u32 $r5, g[$r2]\n add.u32 $r5, $r5, $r3\n mov.u32 g[$r2], $r5\n", false},
    {"one_word_of_all", "mov.b32 $r6, s[data]\n mov.u32 g[$r6], $r1\n", true},
    {"what_the_block_before_wrote",
     "mov.b32 $r7, 0\n set.ne.u32 $p1|$o127, $r3, $r7\n sub.u32 $r6, $r2, 256\n @$p1.ne mov.u32 $r7, g[$r6]\n"
     " add.u32 $r7, $r7, 1\n mov.u32 g[$r2], $r7\n",
     true},
    {"out_of_bounds_in_a_late_block",
     "mov.b32 $r5, 0x40000000\n mov.b32 $r7, 1990\n set.ge.u32 $p1|$o127, $r3, $r7\n @$p1.ne mov.b32 $r2, $r5\n"
     " mov.u32 g[$r2], $r1\n",
     false},
    {"the_clock", "mov.b32 $r5, %clock\n mov.u32 g[$r2], $r5\n", false},
};

/// Of the parts of a grid: also where the others have not run.
TEST(BlockRanges, of_one_grid_do_together_what_the_grid_does) {
  for (const unsigned threads : {1U, 3U}) {
    for (const Case& one_case : cases) {
      if (one_case.name == "the_clock") continue;  // starts anew
      SCOPED_TRACE(one_case.name);
      WorkRun whole(one_case.body, threads, fewer_passes);
      whole.go();
      WorkRun parts(one_case.body, threads, fewer_passes);
      parts.control.blocks = {0, 700};
      const LaunchStatistics before = parts.go().outcome.statistics;
      parts.control.blocks = {700, never};
      const LaunchStatistics behind = parts.go().outcome.statistics;
      EXPECT_EQ(parts.contents(), whole.contents());
      EXPECT_EQ(before.ctas_total, 700U);
      EXPECT_EQ(behind.ctas_total, blocks - 700U);
      EXPECT_EQ(before.ctas_done + behind.ctas_done, whole.outcome.statistics.ctas_done);
      EXPECT_EQ(before.warp_instructions + behind.warp_instructions, whole.outcome.statistics.warp_instructions);
      EXPECT_EQ(behind.status, whole.outcome.statistics.status);
    }
  }
}

class ParallelBlocks : public ::testing::TestWithParam<unsigned> {};

TEST_P(ParallelBlocks, end_like_blocks_in_order) {
  for (const Case& one_case : cases) {
    SCOPED_TRACE(one_case.name);
    WorkRun one(one_case.body, 1, fewer_passes);
    WorkRun several(one_case.body, GetParam(), fewer_passes);
    expect_the_same(several.go(), one.go());
  }
}

TEST_P(ParallelBlocks, remember_kernels_whose_blocks_meet) {
  for (const Case& one_case : cases) {
    SCOPED_TRACE(one_case.name);
    bool remembered = false;
    // A busy host may let one thread do all the work, so that nothing meets.
    for (unsigned attempt = 0; attempt < 50 && !remembered; ++attempt) {
      WorkRun run(one_case.body, GetParam());
      const bool ended = run.go().outcome.statistics.status == RunStatus::ok;
      remembered = run.dependent.contains(run.launch.kernel);
      if (!ended || !one_case.meets) break;
    }
    EXPECT_EQ(remembered, one_case.meets || one_case.name.starts_with("out_of_bounds"));
  }
}

TEST_P(ParallelBlocks, stop_where_the_limit_says) {
  for (const std::uint64_t limit : {70'000U, 100'000U, 150'000U}) {
    WorkRun one(cases.front().body, 1);
    WorkRun several(cases.front().body, GetParam());
    one.control.max_shader_cycles = SpCycle{limit};
    several.control.max_shader_cycles = SpCycle{limit};
    expect_the_same(several.go(), one.go());
    EXPECT_EQ(several.outcome.statistics.status, RunStatus::limit);
  }
}

TEST_P(ParallelBlocks, are_interrupted) {
  WorkRun run(cases.front().body, GetParam(), 500);
  unsigned looks = 0;
  run.control.watch = [&looks](const Progress&) { return ++looks < 3 ? Verdict::go_on : Verdict::interrupt; };
  EXPECT_EQ(run.go().outcome.statistics.status, RunStatus::interrupted);
  EXPECT_LT(run.outcome.statistics.ctas_done, blocks);
}

/// Its last block never ends, whichever thread runs it.
TEST_P(ParallelBlocks, are_interrupted_in_a_block_without_end) {
  WorkRun run(
      "mov.b32 $r7, 1999\nagain_and_again:\n set.eq.u32 $p1|$o127, $r3, $r7\n"
      "@$p1.ne bra.label again_and_again\n",
      GetParam());
  unsigned looks = 0;
  run.control.watch = [&looks](const Progress&) { return ++looks < 10 ? Verdict::go_on : Verdict::interrupt; };
  EXPECT_EQ(run.go().outcome.statistics.status, RunStatus::interrupted);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelBlocks, ::testing::Values(2U, 3U, 8U));

TEST(ParallelBlocks, with_warps_that_reach_barriers_in_part_run_in_order) {
  WorkRun run(
      "mov.b32 $r7, 3\n set.lt.u32 $p1|$o127, $r4, $r7\n join.label over\n @$p1.ne bra.label over\n bar.sync.u32 "
      "0\nover:\n nop.join\n",
      2);
  PartialBarriers told;
  run.options.stream = [&told](const Launch& launch, const ExecutionStreamOptions& options) {
    ExecutionStreamOptions own = options;
    if (own.partial_barriers == nullptr) own.partial_barriers = &told;
    return std::make_unique<ExecutionStream>(launch, own);
  };
  (void)run.go();
  EXPECT_EQ(told.count, blocks);  // the first warp of each
}

TEST(ParallelBlocks, are_not_tried_for_atomics_clocks_and_profiles) {
  WorkRun plain(cases.front().body, 2);
  EXPECT_TRUE(may_run_in_parallel(plain.launch, plain.options));
  plain.options.threads = 1;
  EXPECT_FALSE(may_run_in_parallel(plain.launch, plain.options));
  EXPECT_FALSE(may_run_in_parallel(WorkRun(cases.back().body, 2).launch, FunctionalOptions{.threads = 2}));
  const WorkRun atomic("red.add.u32 g[$r2], $r1\n", 2);
  EXPECT_FALSE(may_run_in_parallel(atomic.launch, atomic.options));
  KernelProfile profile;
  plain.options.threads = 2;
  plain.options.profile = &profile;
  EXPECT_FALSE(may_run_in_parallel(plain.launch, plain.options));
}

}  // namespace
}  // namespace teslasim
