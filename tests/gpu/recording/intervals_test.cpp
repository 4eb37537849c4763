// SPDX-License-Identifier: Apache-2.0
// The series over time: the same for every way of simulating, and the same slots as the totals.
#include <gtest/gtest.h>

#include "tests/gpu/gpu_bench.h"

namespace teslasim::testing {
namespace {

std::vector<std::uint64_t> values_of(const IntervalSeries& series) {
  std::vector<std::uint64_t> values{series.width().count(), series.rows()};
  for (std::size_t row = 0; row < series.rows(); ++row) {
    for (unsigned column = 0; column < series.columns(); ++column) values.push_back(series.at(row, column));
  }
  return values;
}

TEST(GpuIntervals, are_the_same_for_every_way_of_simulating_and_change_nothing) {
  Bench bench(mixed_kernel, 40, 96);
  const LaunchOutcome plain = bench.run(machine("gtx280"));
  EXPECT_FALSE(plain.statistics.intervals.recorded());
  std::vector<std::uint64_t> first;
  for (const TimingOptions& way : {TimingOptions{0, true, {}, 0, true}, TimingOptions{8, true, {}, 7, true},
                                   TimingOptions{4, false, {}, 3, true}}) {
    const LaunchOutcome outcome = bench.run(machine("gtx280"), way);
    EXPECT_EQ(numbers(outcome.statistics), numbers(plain.statistics));
    const IntervalStatistics& intervals = outcome.statistics.intervals;
    EXPECT_EQ(intervals.gpu.rows(), intervals.memory.rows());
    EXPECT_LE(intervals.gpu.rows(), IntervalStatistics::gpu_rows(30));
    std::vector<std::uint64_t> all = values_of(intervals.gpu);
    for (const IntervalSeries& sm : intervals.sms) {
      const std::vector<std::uint64_t> one = values_of(sm);
      all.insert(all.end(), one.begin(), one.end());
    }
    const std::vector<std::uint64_t> memory = values_of(intervals.memory);
    all.insert(all.end(), memory.begin(), memory.end());
    if (first.empty()) first = all;
    EXPECT_EQ(all, first) << "N=" << way.look_ahead;
  }
}

TEST(GpuIntervals, hold_what_the_totals_hold) {
  Bench bench(mixed_kernel, 40, 96);
  TimingOptions options;
  options.intervals = true;
  const LaunchStatistics launch = bench.run(machine("gtx280"), options).statistics;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    EXPECT_EQ(launch.intervals.gpu.sum(i), launch.slots.counts[i]) << slot_reasons[i].name;
    for (std::size_t sm = 0; sm < launch.sms.size(); ++sm) {
      EXPECT_EQ(launch.intervals.sms[sm].sum(i), launch.sms[sm].slots.counts[i]) << slot_reasons[i].name;
    }
  }
  std::uint64_t read = 0;
  for (const PartitionStatistics& partition : launch.partitions) read += partition.read_bytes;
  EXPECT_NE(read, 0U);
  EXPECT_EQ(launch.intervals.memory.sum(interval_read_bytes), read);
}

}  // namespace
}  // namespace teslasim::testing
