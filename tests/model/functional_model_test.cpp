// SPDX-License-Identifier: Apache-2.0
// Datasheet of the functional model: counts, barriers, dead ends, limits.
#include "sim/model/functional_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "frontend/text/assembler.h"
#include "memory/image/device_memory.h"

namespace teslasim {
namespace {

using ::testing::HasSubstr;

struct KernelRun {
  explicit KernelRun(const std::string& text) : module(assemble_text(text, "kernel.asm")) {
    launch.kernel = &module.kernels.front();
    launch.module = &module;
    launch.memory = &memory;
    launch.shared_bytes = launch.kernel->shared_bytes;
    const Address out = memory.allocate("out", "u32", 4096);
    launch.parameters.resize(4);
    std::memcpy(launch.parameters.data(), &out, 4);
  }
  LaunchOutcome operator()(const FunctionalOptions& options = {}) { return run_functional(launch, options, control); }

  Module module;
  DeviceMemory memory;
  Launch launch;
  RunControl control;
};

const std::string reduction = R"(
.arch sm_13
.entry sum
{
  .param ptr out
  .shared data, 4 * 64
    movsh.b32   $ofs1, $r0, 2
    mov.b32     s[$ofs1+data], $r0
    bar.sync.u32 0
    mov.b32     $r1, 32
again:
    join.label  idle
    set.ge.u32  $p0|$o127, $r0, $r1
@$p0.ne bra.label idle
    add.u32     $r2, $r0, $r1
    movsh.b32   $ofs2, $r2, 2
    mov.b32     $r3, s[$ofs2+data]
    add.u32     $r3, s[$ofs1+data], $r3
    mov.b32     s[$ofs1+data], $r3
idle:
    nop.join
    bar.sync.u32 0
    shr.u32     $p0|$r1, $r1, 1
@$p0.ne bra.label again
    mov.b32     $r3, s[data]
    mov.b32     $r4, s[out]
    mov.u32     g[$r4], $r3
    return
}
)";

TEST(FunctionalModel, runs_warps_between_barriers_and_counts_what_they_issue) {
  KernelRun run(reduction);
  run.launch.block = {64, 1, 1};
  run.launch.grid = {3, 1, 1};
  const LaunchOutcome outcome = run();
  const LaunchStatistics& statistics = outcome.statistics;
  EXPECT_EQ(statistics.status, RunStatus::ok);
  EXPECT_FALSE(statistics.timed);
  EXPECT_EQ(statistics.ctas_done, 3U);
  std::uint32_t sum = 0;
  std::memcpy(&sum, run.memory.at(run.memory.buffers().front().address), 4);
  EXPECT_EQ(sum, 63U * 64 / 2);
  // Per warp 4 instructions before the loop and 4 behind it. A trip has 12 instructions; the second warp has no thread
  // below the bound and skips 5 of them. Popping a parked path at the join is not an instruction.
  const std::uint64_t first_warp = 4 + 4 + 6 * 12;
  const std::uint64_t second_warp = 4 + 4 + 6 * 7;
  EXPECT_EQ(statistics.warp_instructions, 3 * (first_warp + second_warp));
  EXPECT_EQ(statistics.barriers, 3U * 2 * 7);
  EXPECT_EQ(statistics.branches, 3U * 2 * 6 * 2);
  EXPECT_EQ(statistics.divergent_branches, 3U * 5);  // the bounds 16, 8, 4, 2, 1 split the first warp
}

TEST(FunctionalModel, totals_are_sums_over_addresses_and_classes) {
  KernelRun run(reduction);
  run.launch.block = {50, 1, 1};
  const LaunchStatistics statistics = run().statistics;
  std::uint64_t issues = 0, threads = 0, classes = 0;
  for (const PcStatistics& pc : statistics.pcs) {
    issues += pc.warp_issues;
    threads += pc.thread_issues;
  }
  for (const std::uint64_t count : statistics.issued_by_class) classes += count;
  EXPECT_EQ(issues, statistics.warp_instructions);
  EXPECT_EQ(classes, statistics.warp_instructions);
  EXPECT_EQ(threads, statistics.thread_instructions);
  EXPECT_GE(statistics.active_lane_sum, statistics.thread_instructions);
}

TEST(FunctionalModel, counts_conflicts_per_half_warp) {
  KernelRun run(R"(
.arch sm_13
.entry stride
{
  .shared data, 4 * 128
    movsh.b32   $ofs1, $r0, 4       // stride of four words
    mov.b32     $r1, s[$ofs1+data]
    mov.b32     $r2, s[data]
    return
}
)");
  run.launch.block = {32, 1, 1};
  const LaunchStatistics statistics = run().statistics;
  EXPECT_EQ(statistics.shared.accesses, 4U);
  EXPECT_EQ(statistics.shared.degree[4], 2U);
  EXPECT_EQ(statistics.shared.degree[1], 2U);
  EXPECT_EQ(statistics.shared.replays, 6U);
}

TEST(FunctionalModel, a_barrier_that_a_warp_never_reaches_is_a_dead_end) {
  KernelRun run(R"(
.entry stuck
{
    mov.b32     $r1, 96
    set.ge.u32  $p0|$o127, $r0, $r1
@$p0.ne return
    bar.sync.u32 0
    return
}
)");
  run.launch.block = {128, 1, 1};
  EXPECT_EQ(run().statistics.status, RunStatus::ok) << "a chip whose barriers do not wait for warps that have ended";
  const LaunchOutcome outcome = run({.finished_warps_hold_barriers = true});
  EXPECT_EQ(outcome.statistics.status, RunStatus::stuck);
  ASSERT_EQ(outcome.errors.size(), 1U);
  const std::string text = render(outcome.errors.front());
  EXPECT_THAT(text, HasSubstr("error[SIM-STUCK]"));
  EXPECT_THAT(text, HasSubstr("block (0,0)  barrier 0:  3 of 4 warps arrived"));
  EXPECT_THAT(text, HasSubstr("arrived  w0 w1 w2"));
  EXPECT_THAT(text, HasSubstr("missing  w3  finished at 0x0010  @$p0.ne return"));
  EXPECT_THAT(text, HasSubstr("= cause: warp 3 left the kernel without reaching barrier 0"));
}

TEST(FunctionalModel, warps_at_different_barriers_are_named_as_the_cause) {
  KernelRun run(R"(
.entry crossed
{
    mov.b32     $r1, 32
    set.ge.u32  $p0|$o127, $r0, $r1
@$p0.ne bra.label second
    bar.sync.u32 0
    return
second:
    bar.sync.u32 1
    return
}
)");
  run.launch.block = {64, 1, 1};
  const LaunchOutcome outcome = run();
  ASSERT_EQ(outcome.errors.size(), 1U);
  EXPECT_EQ(outcome.errors.front().cause, "warp 1 waits at barrier 1, others of its block at barrier 0");
}

TEST(FunctionalModel, arrival_without_waiting_lets_a_warp_go_on) {
  KernelRun run(R"(
.arch sm_13
.entry split
{
  .param ptr out
  .shared data, 4
    shr.u32     $r1, $r0, 5
    set.ne.u32  $p0|$o127, $r1, $r124
@$p0.ne bra.label second
    mov.b32     $r2, 42
    mov.b32     s[data], $r2
    bar.arrive  0
    return
second:
    bar.sync.u32 0
    mov.b32     $r3, s[data]
    mov.b32     $r4, s[out]
    mov.u32     g[$r4], $r3
    return
}
)");
  run.launch.block = {64, 1, 1};
  EXPECT_EQ(run().statistics.status, RunStatus::ok);
  std::uint32_t value = 0;
  std::memcpy(&value, run.memory.at(run.memory.buffers().front().address), 4);
  EXPECT_EQ(value, 42U);
}

const std::string endless = ".entry endless\n{\nagain: nop\nbra.label again\nreturn\n}\n";

TEST(FunctionalModel, a_limit_ends_a_run) {
  KernelRun run(endless);
  run.control.max_shader_cycles = 1000;
  const LaunchOutcome outcome = run();
  EXPECT_EQ(outcome.statistics.status, RunStatus::limit);
  EXPECT_EQ(outcome.statistics.warp_instructions, 1000U);
  EXPECT_TRUE(outcome.errors.empty());
}

TEST(FunctionalModel, the_watcher_can_interrupt) {
  KernelRun run(endless);
  unsigned calls = 0;
  run.control.watch = [&](const Progress& progress) {
    EXPECT_EQ(progress.ctas_total, 1U);
    return ++calls == 3 ? Verdict::interrupt : Verdict::go_on;
  };
  EXPECT_EQ(run().statistics.status, RunStatus::interrupted);
  EXPECT_EQ(calls, 3U);
}

TEST(FunctionalModel, a_kernel_error_is_part_of_the_outcome) {
  KernelRun run(".entry bad\n{\nmov.u32 $r1, g[$r124]\nreturn\n}\n");
  const LaunchOutcome outcome = run();
  EXPECT_EQ(outcome.statistics.status, RunStatus::kernel_error);
  ASSERT_EQ(outcome.errors.size(), 1U);
  EXPECT_EQ(outcome.errors.front().code, "MEM-OOB");
}

}  // namespace
}  // namespace teslasim
