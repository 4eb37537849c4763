// SPDX-License-Identifier: Apache-2.0
// Warps that are kept one by one: the same for every way of simulating, all the cycles of their SM, and no other
// number.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "sim/report/result/conservation.h"
#include "tests/gpu/gpu_bench.h"

namespace teslasim::testing {
namespace {

TimingOptions keeping_all(unsigned look_ahead = 16, bool sleeping = true, unsigned threads = 1) {
  TimingOptions options;
  options.look_ahead = look_ahead;
  options.sleeping = sleeping;
  options.threads = threads;
  options.warp_sms.resize(machine("gtx280").sms());
  std::iota(options.warp_sms.begin(), options.warp_sms.end(), 0U);
  return options;
}

std::vector<std::uint64_t> warps_of(const LaunchStatistics& launch) {
  std::vector<std::uint64_t> all;
  for (const SmStatistics& sm : launch.sms) {
    all.push_back(sm.warps.first.size());
    for (const WarpTimes& warp : sm.warps.first) {
      all.insert(all.end(), {warp.block, warp.slot, warp.warp, warp.begin.count(), warp.finish.count(),
                             warp.end.count(), warp.instructions, warp.thread_instructions});
      all.insert(all.end(), warp.cycles.counts.begin(), warp.cycles.counts.end());
    }
  }
  return all;
}

std::string broken_laws(const LaunchStatistics& launch) {
  std::string text;
  for (const Violation& violation : check_conservation(launch)) text += describe(violation) + "\n";
  return text;
}

TEST(GpuWarps, are_the_same_for_every_way_of_simulating_and_change_nothing) {
  const LaunchStatistics plain = Bench(mixed_kernel, 50, 192).run(machine("gtx280")).statistics;
  for (const SmStatistics& sm : plain.sms) EXPECT_FALSE(sm.warps.kept);
  std::vector<std::uint64_t> first;
  for (const TimingOptions& way : {keeping_all(), keeping_all(0), keeping_all(4, false), keeping_all(16, true, 2),
                                   keeping_all(1, false, 3), keeping_all(16, true, 4)}) {
    const LaunchStatistics launch = Bench(mixed_kernel, 50, 192).run(machine("gtx280"), way).statistics;
    EXPECT_EQ(numbers(launch), numbers(plain));
    EXPECT_EQ(broken_laws(launch), "");
    const std::vector<std::uint64_t> all = warps_of(launch);
    if (first.empty()) first = all;
    EXPECT_EQ(all, first) << "N=" << way.look_ahead << ", threads " << way.threads << ", sleeping " << way.sleeping;
  }
}

TEST(GpuWarps, of_all_sms_have_all_cycles_of_the_launch) {
  const LaunchStatistics launch = Bench(mixed_kernel, 50, 192).run(machine("gtx280"), keeping_all()).statistics;
  PerReason<> cycles;
  std::size_t warps = 0;
  for (const SmStatistics& sm : launch.sms) {
    for (const WarpTimes& warp : sm.warps.first) cycles += warp.cycles;
    warps += sm.warps.first.size();
  }
  EXPECT_EQ(warps, 50U * 6U);
  EXPECT_EQ(cycles, launch.warp_cycles);
}

TEST(GpuWarps, only_those_of_the_chosen_sms_are_kept) {
  TimingOptions options;
  options.warp_sms = {2, 5};
  const LaunchStatistics launch = Bench(mixed_kernel, 50, 192).run(machine("gtx280"), options).statistics;
  for (std::size_t sm = 0; sm < launch.sms.size(); ++sm) EXPECT_EQ(launch.sms[sm].warps.kept, sm == 2 || sm == 5) << sm;
  EXPECT_EQ(broken_laws(launch), "");
  RunControl control;
  control.series = Series::none;
  const LaunchStatistics none = Bench(mixed_kernel, 50, 192).run(machine("gtx280"), options, control).statistics;
  for (const SmStatistics& sm : none.sms) EXPECT_FALSE(sm.warps.kept);
}

/// Warps that were there when the launch ended early.
std::size_t without_end(const LaunchStatistics& launch) {
  std::size_t count = 0;
  for (const SmStatistics& sm : launch.sms) {
    for (const WarpTimes& warp : sm.warps.first) count += warp.end == WarpTimes::unfinished ? 1 : 0;
  }
  return count;
}

TEST(GpuWarps, of_a_launch_that_is_cut_off_are_charged_up_to_its_end) {
  const auto expect_laws = [](const LaunchStatistics& launch, RunStatus status) {
    EXPECT_EQ(launch.status, status);
    EXPECT_EQ(broken_laws(launch), "");
    EXPECT_NE(without_end(launch), 0U);
  };
  for (const std::uint64_t limit : {200U, 1000U, 1001U, 2345U, 3000U}) {
    RunControl control;
    control.max_shader_cycles = SpCycle(limit);
    expect_laws(Bench(mixed_kernel, 50, 192).run(machine("gtx280"), keeping_all(), control).statistics,
                RunStatus::limit);
  }
  RunControl interrupted;
  interrupted.watch = [](const Progress&) { return Verdict::interrupt; };
  expect_laws(Bench("again:\n bra.label again\n return\n", 50, 192)
                  .run(machine("gtx280"), keeping_all(), interrupted)
                  .statistics,
              RunStatus::interrupted);
  expect_laws(Bench(errors_in_every_block, 32, 64).run(machine("gtx280"), keeping_all()).statistics,
              RunStatus::kernel_error);
}

}  // namespace
}  // namespace teslasim::testing
