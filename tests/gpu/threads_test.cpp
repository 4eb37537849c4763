// SPDX-License-Identifier: Apache-2.0
// Threads of the host change no number: SMs, crossbar and partitions are simulated at once, and nothing shows it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "sim/gpu/gpu_simulator.h"
#include "tests/gpu/gpu_bench.h"

namespace teslasim::testing {
namespace {

bool long_tests() {
  return std::getenv("TESLASIM_LONG_TESTS") != nullptr;
}

TimingOptions with_threads(unsigned threads, unsigned look_ahead = 16, bool sleeping = true) {
  TimingOptions options;
  options.look_ahead = look_ahead;
  options.sleeping = sleeping;
  options.threads = threads;
  return options;
}

TEST(GpuThreads, change_no_number) {
  const std::vector<std::string> machines =
      long_tests() ? std::vector<std::string>{"gtx280", "8800gtx", "c1060"} : std::vector<std::string>{"gtx280"};
  const std::vector<unsigned> counts = long_tests() ? std::vector<unsigned>{2, 3, 4, 8} : std::vector<unsigned>{2, 4};
  for (const std::string& name : machines) {
    const std::vector<std::uint64_t> reference = numbers(Bench(mixed_kernel, 50, 192).run(machine(name)).statistics);
    for (const unsigned threads : counts) {
      for (const unsigned look_ahead : {1U, 4U, 16U}) {
        for (const bool sleeping : {true, false}) {
          Bench bench(mixed_kernel, 50, 192);
          EXPECT_EQ(numbers(bench.run(machine(name), with_threads(threads, look_ahead, sleeping)).statistics),
                    reference)
              << name << ", threads " << threads << ", N=" << look_ahead << ", sleeping " << sleeping;
        }
      }
    }
  }
}

TEST(GpuThreads, one_launch_after_the_other) {
  Bench bench(mixed_kernel, 20, 64);
  SystemCContext context(SystemCContext::Engine::left_to_the_model);
  GpuSimulator gpu(machine("8800gtx"), with_threads(3));
  const std::vector<std::uint64_t> first = numbers(gpu.run(bench.launch(), {}).statistics);
  EXPECT_EQ(numbers(gpu.run(bench.launch(), {}).statistics), first);
  EXPECT_EQ(numbers(Bench(mixed_kernel, 20, 64).run(machine("8800gtx")).statistics), first);
}

TEST(GpuThreads, a_limit_is_exact_in_simulated_time) {
  RunControl control;
  control.max_shader_cycles = 1000;
  const auto cut = [&](unsigned threads) {
    return numbers(Bench(mixed_kernel, 50, 192).run(machine("gtx280"), with_threads(threads), control).statistics);
  };
  EXPECT_EQ(cut(2), cut(1));
}

TEST(GpuThreads, the_earliest_kernel_error_is_reported_with_the_same_numbers) {
  const auto outcome = [&](unsigned threads, unsigned look_ahead) {
    const LaunchOutcome ended =
        Bench(errors_in_every_block, 32, 32).run(machine("gtx280"), with_threads(threads, look_ahead));
    EXPECT_EQ(ended.statistics.status, RunStatus::kernel_error);
    return std::pair(ended.errors.size() == 1 ? render(ended.errors[0]) : "", numbers(ended.statistics));
  };
  const auto reference = outcome(1, 0);
  for (const unsigned look_ahead : {1U, 16U}) {
    for (const unsigned threads : {1U, 2U, 4U, 8U}) EXPECT_EQ(outcome(threads, look_ahead), reference) << threads;
  }
}

TEST(GpuThreads, a_launch_that_waits_for_ever_is_found_and_described_alike) {
  const std::string body =
      "and.b32 $r1, $r0, 0x0000ffff\n shr.u32 $p1|$r2, $r1, 6\n@$p1.ne return\n"
      " bar.sync.u32 0x00000000\n return\n";
  const auto message = [&](unsigned threads) {
    const LaunchOutcome outcome = Bench(body, 3, 128).run(machine("8800gtx"), with_threads(threads));
    EXPECT_EQ(outcome.statistics.status, RunStatus::stuck);
    return outcome.errors.size() == 1 ? render(outcome.errors[0]) : "";
  };
  EXPECT_EQ(message(2), message(1));
}

TEST(GpuThreads, series_over_time_are_the_same) {
  const auto series = [](unsigned threads) {
    TimingOptions options = with_threads(threads);
    options.intervals = true;
    const LaunchStatistics launch = Bench(mixed_kernel, 40, 96).run(machine("gtx280"), options).statistics;
    std::vector<std::uint64_t> all;
    for (const IntervalSeries* one : {&launch.intervals.gpu, &launch.intervals.memory, &launch.intervals.sms[7]}) {
      for (std::size_t row = 0; row < one->rows(); ++row) {
        for (unsigned column = 0; column < one->columns(); ++column) all.push_back(one->at(row, column));
      }
    }
    return all;
  };
  EXPECT_EQ(series(3), series(1));
}

TEST(GpuThreads, a_link_too_short_for_a_quantum_leaves_one_thread) {
  const MachineSpec spec = load_machine({"gtx280"}, {"noc.request_ns=1"}).spec;
  EXPECT_EQ(numbers(Bench(mixed_kernel, 20, 64).run(spec, with_threads(2)).statistics),
            numbers(Bench(mixed_kernel, 20, 64).run(spec).statistics));
}

}  // namespace
}  // namespace teslasim::testing
