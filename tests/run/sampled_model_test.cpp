// SPDX-License-Identifier: Apache-2.0
// Datasheet of launches whose blocks are sampled: the extrapolated time against the whole simulation, right results,
// limits, errors.
#include "sim/run/sampled_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/output_file.h"
#include "sim/base/temporary_folder.h"
#include "sim/run/workload_run.h"
#include "tests/support/systemc_context.h"
#include "tests/support/volume.h"

namespace teslasim::testing {
namespace {

/// Each thread goes through a loop (block * 37 & mask) + (block * step / 256) + 32 times and writes what it summed up.
constexpr const char* lengths_kernel = R"(.arch sm_10
.entry lengths
{
  .param ptr out
  .param u32 mask
  .param u32 step
    mov.u32.u16 $r3, %ctaid.x
    and.b32     $r4, $r0, 0x0000ffff
    mov.u32.u16 $r5, %ntid.x
    mul24.u32   $r1, $r3, $r5
    add.u32     $r1, $r1, $r4
    shl.u32     $r2, $r1, 2
    add.u32     $r2, s[out], $r2
    mov.b32     $r6, 0x00000025
    mul24.u32   $r6, $r3, $r6
    and.b32     $r6, s[mask], $r6
    mov.b32     $r7, s[step]
    mul24.u32   $r8, $r3, $r7
    shr.u32     $r8, $r8, 8
    add.u32     $r6, $r6, $r8
    add.u32     $r6, $r6, 0x00000020
    mov.b32     $r9, 1
    mov.b32     $r10, 0
again:
    add.u32     $r10, $r10, $r1
    sub.u32     $p0|$r6, $r6, $r9
@$p0.ne bra.label again
    mov.u32     g[$r2], $r10
    return
}
)";

/// The last block to arrive writes how many did; a block of a number that is out of its buffer fails.
constexpr const char* meeting_kernel = R"(.arch sm_11
.entry meeting
{
  .param ptr count
  .param ptr out
  .param u32 last
    mov.b32     $r1, s[count]
    mov.b32     $r2, 0xffffffff
    atom.inc.u32 $r3, g[$r1], $r2
    set.eq.u32  $p0|$o127, s[last], $r3
    mov.b32     $r4, s[out]
    add.u32     $r3, $r3, 1
@$p0.ne mov.u32 g[$r4], $r3
    return
}
)";

struct Outcome {
  RunOutcome run;
  std::vector<std::byte> first_buffer, second_buffer;

  [[nodiscard]] const LaunchResult& launch() const { return run.result.launches.front(); }
};

std::vector<std::byte> contents(WorkloadRun& run, std::size_t index) {
  const std::span<const std::byte> bytes = run.buffer(index);
  return {bytes.begin(), bytes.end()};
}

Outcome outcome_of(RunSettings settings, const LaunchWatch& watch = {}) {
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  settings.calibration = "none";
  const PreparedRun prepared = prepare(std::move(settings));
  WorkloadRun run(prepared);
  Outcome outcome;
  outcome.run = run.run(watch);
  outcome.first_buffer = contents(run, 0);
  if (prepared.workload.buffers.size() > 1) outcome.second_buffer = contents(run, prepared.workload.buffers.size() - 1);
  return outcome;
}

std::string shipped(const std::string& kernel) {
  return std::string(TESLASIM_SOURCE_DIR) + "/traces/" + kernel + "/" + kernel + ".asm";
}

constexpr unsigned blocks = 800, wave = 48;  // of `lengths`

class SampledModelTest : public ::testing::Test {
 protected:
  RunSettings settings_for(const std::string& input, const std::string& kernel, const std::string& grid,
                           const std::string& block, std::vector<std::string> parameters) {
    RunSettings settings;
    settings.workload.input = input;
    settings.workload.launch_file = "none";
    settings.workload.options.kernel = kernel;
    settings.workload.options.grid = grid;
    settings.workload.options.block = block;
    settings.workload.options.parameters = std::move(parameters);
    settings.configs = {"gtx280"};
    return settings;
  }
  /// On two TPCs, whose 6 SMs hold 48 blocks at once.
  RunSettings lengths(const std::string& mask, const std::string& step, unsigned grid = blocks) {
    const std::string words = std::to_string(grid * 128);
    return small(settings_for(written("lengths", lengths_kernel), "lengths", std::to_string(grid), "128",
                              {"out=u32[" + words + "]:zero", "mask=" + mask, "step=" + step}));
  }
  RunSettings meeting(unsigned grid) {
    return small(settings_for(written("meeting", meeting_kernel), "meeting", std::to_string(grid), "32",
                              {"count=u32[1]:zero", "out=u32[1]:zero", "last=" + std::to_string(grid * 32 - 1)}));
  }
  static RunSettings small(RunSettings settings) {
    settings.sets = {"gpu.tpcs=2"};
    return settings;
  }
  std::string written(const std::string& name, const char* text) {
    const std::string path = folder_.file(name + ".asm");
    write_file(path, text);
    return path;
  }

 private:
  TemporaryFolder folder_{"sampled-model-test"};
};

void expect_close(const LaunchResult& sampled, const LaunchResult& whole, const std::string& what) {
  ASSERT_TRUE(sampled.sample) << what;
  const auto expected = static_cast<double>(whole.time()), found = static_cast<double>(sampled.time());
  const double tolerance = std::max(static_cast<double>(sampled.sample->bound), 0.02 * expected);
  EXPECT_NEAR(found, expected, tolerance) << what;
  const auto cycles = static_cast<double>(sampled.cycles());
  EXPECT_NEAR(cycles / static_cast<double>(whole.cycles()), found / expected, 1e-9) << what;
}

TEST_F(SampledModelTest, extrapolates_the_time_of_steady_kernels) {
  const std::vector<RunSettings> cases{
      settings_for(shipped("vecadd"), "vecadd", "8192", "256",
                   {"a=f32[2097152]:rand:1", "b=f32[2097152]:rand:2", "out=f32[2097152]:zero", "n=2097152"}),
      settings_for(shipped("mad_chain"), "mad_chain", "5001", "256",
                   {"in=f32[1280256]:rand:1", "out=f32[1280256]:zero", "a=0.999", "b=0.001", "iterations=16"}),
      settings_for(shipped("matmul_tiled"), "matmul_tiled", "64,64", "16,16",
                   {"a=f32[32768]:rand:1", "b=f32[32768]:rand:2", "c=f32[1048576]:zero", "k=32", "n=1024"}),
      lengths("31", "0", 1540)};
  for (const RunSettings& settings : std::span(cases).last(test::volume<std::size_t>(cases.size(), 1))) {
    const std::string name = settings.workload.options.kernel;
    const Outcome whole = outcome_of(settings);
    RunSettings sampling = settings;
    sampling.sample = BlockSampleRule{};
    const Outcome sampled = outcome_of(sampling);
    expect_close(sampled.launch(), whole.launch(), name);
    EXPECT_EQ(sampled.second_buffer, whole.second_buffer) << name;
    EXPECT_EQ(sampled.run.result.warp_instructions(), whole.run.result.warp_instructions()) << name;
    EXPECT_TRUE(sampled.run.errors.empty()) << name;
    EXPECT_TRUE(sampled.launch().sampled) << name;
  }
}

TEST_F(SampledModelTest, does_not_depend_on_threads) {
  RunSettings settings = lengths("127", "0");
  settings.sample = BlockSampleRule{8};
  const Outcome one = outcome_of(settings);
  settings.threads = 4;
  const Outcome four = outcome_of(settings);
  EXPECT_EQ(one.run.result.digest, four.run.result.digest);
  EXPECT_EQ(one.launch().cycles(), four.launch().cycles());
}

TEST_F(SampledModelTest, says_that_blocks_grow_longer) {
  RunSettings settings = lengths("0", "120");
  const Outcome whole = outcome_of(settings);
  settings.sample = BlockSampleRule{8};
  const Outcome sampled = outcome_of(settings);
  EXPECT_FALSE(sampled.launch().sample->steady);
  EXPECT_GT(sampled.launch().sample->trend, 0.3);
  EXPECT_GT(sampled.launch().sample->work_ratio, 1.5);
  ASSERT_EQ(sampled.run.warnings.size(), 2U);
  EXPECT_EQ(sampled.run.warnings[0].code, "SAMPLE-TREND");
  EXPECT_EQ(sampled.run.warnings[1].code, "SAMPLE-WORK");
  // In proportion to their instructions the others are not far off, all the same.
  EXPECT_NEAR(static_cast<double>(sampled.launch().time()) / static_cast<double>(whole.launch().time()), 1.0, 0.1);
}

TEST_F(SampledModelTest, small_grids_run_whole) {
  RunSettings settings = lengths("127", "0", 10 * wave - 1);
  const Outcome whole = outcome_of(settings);
  settings.sample = BlockSampleRule{5};
  const Outcome sampled = outcome_of(settings);
  EXPECT_FALSE(sampled.launch().sample);
  EXPECT_FALSE(sampled.launch().sampled);
  EXPECT_EQ(sampled.run.result.digest, whole.run.result.digest);
}

TEST_F(SampledModelTest, counters_are_those_of_the_timed_blocks) {
  RunSettings settings = lengths("0", "0");
  settings.sample = BlockSampleRule{8};
  const Outcome sampled = outcome_of(settings);
  const LaunchStatistics& counted = sampled.launch().statistics;
  EXPECT_EQ(counted.ctas_total, 8 * wave + blocks % wave);
  EXPECT_EQ(counted.ctas_done, counted.ctas_total);
  EXPECT_EQ(sampled.launch().sample->timed_blocks, counted.ctas_done);
  EXPECT_EQ(sampled.launch().sample->function_blocks, blocks - counted.ctas_done);
  EXPECT_DOUBLE_EQ(sampled.launch().sample->work_ratio, 1.0);
  EXPECT_LT(counted.shader_cycles, sampled.launch().cycles());
  RunSettings part = lengths("0", "0");
  part.blocks.blocks = "0-" + std::to_string(counted.ctas_total - 1);
  const Outcome chosen = outcome_of(part);
  EXPECT_EQ(chosen.launch().statistics.shader_cycles, counted.shader_cycles) << "dealt as in a grid of those";
  EXPECT_EQ(chosen.launch().predictions.size(), sampled.launch().predictions.size());
  for (std::size_t i = 0; i < chosen.launch().predictions.size(); ++i)
    EXPECT_EQ(chosen.launch().predictions[i].seconds, sampled.launch().predictions[i].seconds) << i;
}

TEST_F(SampledModelTest, blocks_by_function_see_what_timed_ones_wrote) {
  constexpr unsigned grid = blocks + 1;
  RunSettings settings = meeting(grid);
  settings.sample = BlockSampleRule{8};
  for (const unsigned threads : {1U, 4U}) {
    settings.threads = threads;
    const Outcome sampled = outcome_of(settings);
    ASSERT_TRUE(sampled.launch().sample);
    EXPECT_EQ(sampled.run.result.status, RunStatus::ok);
    std::uint32_t count = 0, last = 0;
    std::memcpy(&count, sampled.first_buffer.data(), sizeof count);
    std::memcpy(&last, sampled.second_buffer.data(), sizeof last);
    EXPECT_EQ(count, grid * 32);
    EXPECT_EQ(last, grid * 32) << "written by the last thread alone";
  }
}

TEST_F(SampledModelTest, tells_errors_of_blocks_by_function) {
  RunSettings settings = lengths("0", "0");
  settings.workload.options.parameters[0] = "out=u32[100400]:zero";  // for 784 of 800 blocks, and a part of the next
  settings.sample = BlockSampleRule{8};
  const Outcome sampled = outcome_of(settings);
  EXPECT_EQ(sampled.run.result.status, RunStatus::kernel_error);
  ASSERT_EQ(sampled.run.errors.size(), 1U);
  EXPECT_EQ(sampled.run.errors[0].code, "MEM-OOB");
  EXPECT_NE(render(sampled.run.errors[0]).find("784"), std::string::npos) << render(sampled.run.errors[0]);
  EXPECT_EQ(sampled.launch().sample->function_blocks, 784 - sampled.launch().sample->timed_blocks);
}

TEST_F(SampledModelTest, stops_where_the_extrapolated_time_is_at_the_limit) {
  RunSettings settings = lengths("0", "0");
  settings.sample = BlockSampleRule{8};
  const Outcome unlimited = outcome_of(settings);
  const SpCycle all = unlimited.launch().cycles(), timed = unlimited.launch().statistics.shader_cycles;
  settings.max_cycles = SpCycle((all.count() + timed.count()) / 2);
  const Outcome stopped = outcome_of(settings);
  EXPECT_EQ(stopped.run.result.status, RunStatus::limit);
  EXPECT_NEAR(static_cast<double>(stopped.launch().cycles()), static_cast<double>(settings.max_cycles), 10.0);
  settings.threads = 4;
  EXPECT_EQ(outcome_of(settings).run.result.digest, stopped.run.result.digest);
  for (const SpCycle beyond : {all + 10, SpCycle(never - 1)}) {
    settings.max_cycles = beyond;
    EXPECT_EQ(outcome_of(settings).run.result.status, RunStatus::ok);
  }
  settings.max_cycles = SpCycle(timed.count() / 2);
  const Outcome early = outcome_of(settings);
  EXPECT_EQ(early.run.result.status, RunStatus::limit);
  EXPECT_FALSE(early.launch().sample);
  EXPECT_EQ(early.launch().statistics.ctas_total, blocks);
}

TEST_F(SampledModelTest, who_watches_sees_one_launch) {
  RunSettings settings = lengths("0", "0");
  settings.sample = BlockSampleRule{8};
  Progress last;
  bool behind = false;
  const Outcome stopped = outcome_of(settings, [&](std::size_t, const Progress& progress) {
    EXPECT_EQ(progress.ctas_total, blocks);
    EXPECT_GE(progress.ctas_done, last.ctas_done);
    EXPECT_GE(progress.warp_instructions, last.warp_instructions);
    last = progress;
    behind = progress.ctas_done > blocks * 3 / 4;
    return behind ? Verdict::interrupt : Verdict::go_on;
  });
  EXPECT_TRUE(behind);
  EXPECT_EQ(stopped.run.result.status, RunStatus::interrupted);
  ASSERT_TRUE(stopped.launch().sample);
  EXPECT_GT(stopped.launch().sample->function_blocks, 0U);
}

}  // namespace
}  // namespace teslasim::testing
