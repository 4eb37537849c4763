// SPDX-License-Identifier: Apache-2.0
// Recorded effects of instructions; recordings beside each other; windows of every launch.
#include <gmock/gmock.h>

#include <map>
#include <memory>

#include "sim/gpu/recording/pipeline_recorder.h"
#include "tests/gpu/gpu_bench.h"

namespace teslasim::testing {
namespace {

RecordingOptions log_options(std::vector<unsigned> sms) {
  RecordingOptions options;
  options.sms = std::move(sms);
  options.window.kind = RecordingWindow::Kind::cycles;
  options.window.length = never;
  options.events = {true, false, true, false, true};
  options.every_launch = true;
  return options;
}

LaunchOutcome record(Bench& bench, PipelineRecorder& recorder, unsigned launches = 1) {
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  GpuSimulator gpu(machine("gtx280"), {});
  gpu.record(&recorder);
  for (unsigned i = 1; i < launches; ++i) static_cast<void>(gpu.run(bench.launch(), {}));
  return gpu.run(bench.launch(), {});
}

/// One block: word i of `in` is i, so all values are known.
const std::string small_kernel = R"(
  .shared tile, 128
  and.b32 $r1, $r0, 0x0000ffff
  shl.u32 $p0|$r2, $r1, 2
  add.u32 $r3, s[in], $r2
  mov.u32 $r4, g[$r3]
  movsh.b32 $ofs1, $r2, 0
  mov.b32 s[$ofs1+tile], $r4
  add.u32 $r5, s[out], $r2
  mov.u32 g[$r5], $r4
  return
)";

TEST(RecordedEffects, are_the_values_that_instructions_write) {
  Bench bench(small_kernel, 1, 32);
  PipelineRecorder recorder(log_options({0}));
  static_cast<void>(record(bench, recorder));
  const PipelineEvents& events = recorder.launches().at(0);
  ASSERT_EQ(events.effects.size(), events.instructions.size());
  ASSERT_EQ(events.effects.size(), bench.launch().kernel->code.size());
  const auto written = [&](unsigned instruction) { return events.effects[instruction].registers.at(0); };
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    EXPECT_EQ(written(0).value[lane], lane);
    EXPECT_EQ(written(1).value[lane], 4 * lane);
    EXPECT_EQ(written(3).value[lane], lane) << "a load's are those that came back";
    EXPECT_EQ(written(4).value[lane], 4 * lane);
    EXPECT_EQ(events.effects[5].stored->words.at(0)[lane], lane);
    EXPECT_EQ(events.effects[7].stored->words.at(0)[lane], lane);
    EXPECT_EQ(events.effects[7].stored->address[lane], written(6).value[lane]);
  }
  EXPECT_TRUE(written(4).address);
  EXPECT_EQ(events.effects[1].flags.at(0).zero, 1U);
  EXPECT_FALSE(events.effects[3].awaited);
  EXPECT_GT(events.instructions[3].written, events.instructions[3].issued + 100);
  EXPECT_TRUE(events.effects.back().finished);
  EXPECT_TRUE(events.waits.empty()) << "nobody wanted them";
  EXPECT_TRUE(events.units.empty());
  EXPECT_FALSE(events.slots.empty());
}

TEST(RecordedEffects, have_the_accesses_with_what_they_become) {
  Bench bench(small_kernel, 1, 32);
  PipelineRecorder recorder(log_options({0}));
  const LaunchOutcome outcome = record(bench, recorder);
  const std::vector<InstructionEffects>& effects = recorder.launches().at(0).effects;
  const LaneAccess& load = effects[3].accesses.at(0);
  EXPECT_EQ(load.space, LaneAccess::Space::global);
  EXPECT_EQ(load.kind, LaneAccess::Kind::load);
  EXPECT_EQ(effects[5].accesses.at(0).kind, LaneAccess::Kind::store);
  EXPECT_EQ(effects[7].accesses.at(0).kind, LaneAccess::Kind::store);
  std::uint32_t bytes = 0;
  for (const LaneAccess::Segment& segment : load.segments) bytes += segment.bytes;
  EXPECT_EQ(bytes, 128U);
  EXPECT_THAT(effects[5].accesses.at(0).passes, ::testing::ElementsAre(1, 1));
  EXPECT_EQ(recorder.launches().at(0).instructions[3].transactions, load.segments.size());
  EXPECT_EQ(numbers(outcome.statistics), numbers(Bench(small_kernel, 1, 32).run(machine("gtx280")).statistics));
}

TEST(RecordedEffects, of_every_launch_share_the_limit) {
  Bench bench(small_kernel, 1, 32);
  const auto instructions = [&](std::uint64_t most_events) {
    RecordingOptions options = log_options({0});
    options.most_events = most_events;
    PipelineRecorder recorder(options);
    static_cast<void>(record(bench, recorder, 2));
    std::vector<std::size_t> counts;
    for (const PipelineEvents& events : recorder.launches()) counts.push_back(events.instructions.size());
    EXPECT_EQ(recorder.launches().back().dropped != 0, most_events < 100);
    return counts;
  };
  EXPECT_THAT(instructions(1000), ::testing::ElementsAre(9, 9));
  const std::vector<std::size_t> few = instructions(80);
  EXPECT_EQ(few.at(0), 9U);
  EXPECT_LT(few.at(1), 9U);
}

TEST(RecordingBeside, has_sms_and_a_window_of_its_own) {
  Bench bench(mixed_kernel, 200, 192);
  RecordingOptions options;
  options.sms = {1, 2};
  options.window.kind = RecordingWindow::Kind::cycles;
  options.window.begin = 500;
  options.window.length = 300;
  PipelineRecorder alone(options), log_alone(log_options({2, 4}));
  options.beside = std::make_shared<const RecordingOptions>(log_options({2, 4}));
  PipelineRecorder both(options);
  for (PipelineRecorder* recorder : {&alone, &log_alone, &both}) static_cast<void>(record(bench, *recorder));
  ASSERT_NE(both.beside(), nullptr);
  const auto issues = [](const PipelineRecorder& recorder) {
    std::vector<std::tuple<unsigned, unsigned, SmCycle, SmCycle>> list;
    for (const PipelineEvents::Instruction& one : recorder.launches().at(0).instructions)
      list.emplace_back(one.sm, one.index, one.issued, one.written);
    return list;
  };
  EXPECT_EQ(issues(both), issues(alone));
  EXPECT_EQ(issues(*both.beside()), issues(log_alone));
  EXPECT_TRUE(both.launches().at(0).effects.empty());
  EXPECT_FALSE(issues(alone).empty());
}

TEST(RecordedResults, that_come_after_many_other_instructions_find_theirs) {
  std::string body =
      "  and.b32 $r1, $r0, 0x0000ffff\n  shl.u32 $r2, $r1, 2\n  add.u32 $r3, s[in], $r2\n  mov.u32 $r4, g[$r3]\n";
  for (unsigned i = 0; i < 100; ++i) body += "  mov.b32 s[0x0010], $r1\n";
  Bench bench(body + "  return\n", 1, 32);
  PipelineRecorder recorder(log_options({0}));
  static_cast<void>(record(bench, recorder));
  const InstructionEffects& load = recorder.launches().at(0).effects.at(3);
  EXPECT_FALSE(load.awaited);
  EXPECT_EQ(load.registers.at(0).value[31], 31U);
}

}  // namespace
}  // namespace teslasim::testing
