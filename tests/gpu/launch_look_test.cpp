// SPDX-License-Identifier: Apache-2.0
// A launch that is looked at, and recorded from its midst on, while it is under way: nothing shows it in the end.
#include "sim/gpu/launch_look.h"

#include <gtest/gtest.h>

#include <memory>
#include <tuple>
#include <vector>

#include "sim/gpu/recording/pipeline_recorder.h"
#include "tests/gpu/gpu_bench.h"

namespace teslasim::testing {
namespace {

/// Every edge at its own time, so that short launches are looked at, too.
TimingOptions exact() {
  TimingOptions options;
  options.look_ahead = 0;
  return options;
}

struct Watched {
  LaunchOutcome outcome;
  std::vector<LaunchLook> looks;
};

/// Runs `bench` and calls `on_look(gpu, number)` at each look.
template <typename OnLook>
Watched watched(Bench& bench, const TimingOptions& options, OnLook on_look) {
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  GpuSimulator gpu(machine("gtx280"), options);
  Watched result;
  EXPECT_FALSE(gpu.look()) << "no launch is under way";
  RunControl control;
  control.watch = [&](const Progress&) {
    result.looks.push_back(*gpu.look());
    on_look(gpu, result.looks.size());
    return Verdict::go_on;
  };
  result.outcome = gpu.run(bench.launch(), control);
  EXPECT_FALSE(gpu.look());
  return result;
}

RecordingOptions of_sm(unsigned sm) {
  RecordingOptions options;
  options.sms = {sm};
  return options;
}

using Issue = std::tuple<SmCycle, unsigned, std::uint32_t, LaneMask, std::uint64_t>;

/// Issues from cycle `begin` on.
std::vector<Issue> issues(const PipelineEvents& events, SmCycle begin) {
  std::vector<Issue> list;
  for (const PipelineEvents::Instruction& one : events.instructions) {
    if (one.issued >= begin) list.emplace_back(one.issued, one.warp, one.index, one.lanes, one.block);
  }
  return list;
}

TEST(LaunchLook, grows_up_to_the_statistics_of_the_launch) {
  Bench bench(mixed_kernel, 200, 192);
  const Watched run = watched(bench, exact(), [](GpuSimulator&, std::size_t) {});
  ASSERT_GE(run.looks.size(), 3U);
  std::vector<LaunchLook> looks = run.looks;
  looks.push_back(look_back(run.outcome.statistics));
  for (std::size_t i = 1; i < looks.size(); ++i) {
    EXPECT_LE(looks[i - 1].slots.sum(), looks[i].slots.sum());
    EXPECT_LE(looks[i - 1].read_bytes, looks[i].read_bytes);
    EXPECT_LE(looks[i - 1].write_bytes, looks[i].write_bytes);
    EXPECT_LE(looks[i - 1].transactions, looks[i].transactions);
    EXPECT_LE(looks[i - 1].instructions.hits, looks[i].instructions.hits);
    EXPECT_LE(looks[i - 1].seconds, looks[i].seconds);
  }
  EXPECT_LT(looks.front().slots[SlotReason::issued], looks.back().slots[SlotReason::issued]);
  EXPECT_EQ(looks.back().slots, run.outcome.statistics.slots);
  EXPECT_NE(looks.back().read_bytes, 0U);
  EXPECT_EQ(numbers(run.outcome.statistics), numbers(Bench(mixed_kernel, 200, 192).run(machine("gtx280")).statistics));
}

TEST(LiveRecording, has_what_a_recording_of_the_whole_launch_has_from_then_on) {
  constexpr unsigned sm = 7;
  RecordingOptions all = of_sm(sm);
  all.window.kind = RecordingWindow::Kind::cycles;
  all.window.length = never;
  PipelineRecorder whole(all), live(of_sm(sm)), second(of_sm(sm));
  Bench bench(mixed_kernel, 200, 192), again(mixed_kernel, 200, 192);
  {
    SystemCContext context(SystemCContext::Engine::left_to_the_model);
    GpuSimulator gpu(machine("gtx280"), exact());
    gpu.record(&whole);
    static_cast<void>(gpu.run(bench.launch(), {}));
  }
  const Watched run = watched(again, exact(), [&](GpuSimulator& gpu, std::size_t number) {
    if (number != 2) return;
    EXPECT_TRUE(gpu.begin_recording(live));
    EXPECT_FALSE(gpu.begin_recording(second)) << "one at a time";
  });
  ASSERT_GE(run.looks.size(), 3U);
  ASSERT_EQ(live.launches().size(), 1U);
  const PipelineEvents& events = live.launches().front();
  EXPECT_GT(events.begin, 0U);
  EXPECT_EQ(events.end, whole.launches().front().end);
  EXPECT_FALSE(issues(events, 0).empty());
  EXPECT_EQ(issues(events, 0), issues(whole.launches().front(), events.begin));
  EXPECT_FALSE(events.blocks.empty()) << "those that were there, too";
  EXPECT_EQ(numbers(run.outcome.statistics), numbers(Bench(mixed_kernel, 200, 192).run(machine("gtx280")).statistics));
}

TEST(LiveRecording, that_is_dropped_leaves_nothing_and_another_may_follow) {
  PipelineRecorder dropped(of_sm(0)), kept(of_sm(1));
  Bench bench(mixed_kernel, 200, 192);
  const Watched run = watched(bench, exact(), [&](GpuSimulator& gpu, std::size_t number) {
    EXPECT_EQ(number == 1, number == 1 && gpu.begin_recording(dropped));
    if (number == 2) gpu.drop_recording();
    EXPECT_EQ(number == 3, number == 3 && gpu.begin_recording(kept));
  });
  ASSERT_GE(run.looks.size(), 3U);
  EXPECT_TRUE(dropped.launches().empty());
  EXPECT_EQ(kept.launches().size(), 1U);
}

TEST(LiveRecording, is_refused_beside_a_recording_of_the_run) {
  PipelineRecorder own(of_sm(0)), live(of_sm(0));
  Bench bench(mixed_kernel, 200, 192);
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  GpuSimulator gpu(machine("gtx280"), exact());
  gpu.record(&own);
  EXPECT_FALSE(gpu.begin_recording(live)) << "no launch is under way";
  bool asked = false;
  RunControl control;
  control.watch = [&](const Progress&) {
    asked = true;
    EXPECT_FALSE(gpu.begin_recording(live));
    return Verdict::go_on;
  };
  static_cast<void>(gpu.run(bench.launch(), control));
  EXPECT_TRUE(asked);
}

TEST(LiveRecording, with_threads_changes_no_number) {
  const std::string body =
      "  mov.b32 $r4, 0x00000800\nagain:\n  add.b32 $r4, $r4, 0xffffffff\n  mov.b32 $r5, 0x00000000\n"
      "  set.gt.s32 $p0|$o127, $r4, $r5\n@$p0.ne bra.label again\n  return\n";
  TimingOptions options;
  options.look_ahead = 1;
  options.threads = 2;
  PipelineRecorder live(of_sm(3));
  Bench bench(body, 60, 64);
  bool begun = false;
  const Watched run = watched(bench, options, [&](GpuSimulator& gpu, std::size_t) {
    if (!begun) begun = gpu.begin_recording(live);
  });
  ASSERT_TRUE(begun);
  ASSERT_EQ(live.launches().size(), 1U);
  EXPECT_FALSE(live.launches().front().instructions.empty());
  EXPECT_EQ(numbers(run.outcome.statistics), numbers(Bench(body, 60, 64).run(machine("gtx280")).statistics));
}

}  // namespace
}  // namespace teslasim::testing
