// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/intervals_csv.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/base/csv.h"
#include "sim/report/csv/ctas_csv.h"
#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

std::size_t count_of_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(IntervalsCsv, rows_of_gpu_and_sms_share_2048_lines) {
  for (const std::size_t sms : {1U, 2U, 3U, 12U, 16U, 30U, 64U}) {
    const std::size_t gpu = IntervalStatistics::gpu_rows(sms);
    const std::size_t each = sms == 1 ? 0 : IntervalStatistics::sm_rows(sms);
    EXPECT_LE(gpu + sms * each, IntervalStatistics::most_rows) << sms;
    EXPECT_GT(2 * (gpu + sms * each), IntervalStatistics::most_rows) << sms;
  }
}

TEST(IntervalsCsv, one_line_per_interval_with_slots_in_integers) {
  Result result;
  result.launches.resize(1);
  result.launches[0].statistics = test::sample_launch();
  const std::string text = intervals_csv(result);
  const IntervalStatistics& intervals = result.launches[0].statistics.intervals;
  EXPECT_EQ(count_of_lines(text), 1 + intervals.gpu.rows() + 2 * intervals.sms[0].rows());
  EXPECT_NE(text.find("\n0,0,128,-1,8,4,"), std::string::npos) << text;
}

TEST(IntervalsCsv, a_run_without_series_has_a_header_only) {
  Result result;
  result.launches.resize(1);
  EXPECT_EQ(count_of_lines(intervals_csv(result)), 1U);
}

TEST(IntervalsCsv, the_crossbar_holds_requests_and_replies) {
  Result result;
  result.launches.resize(1);
  LaunchStatistics& launch = result.launches[0].statistics;
  launch = test::sample_launch();
  launch.intervals.memory.add(interval_noc_requests, 0, 64);
  launch.intervals.memory.add(interval_noc_replies, 0, 32);
  const CsvTable table = CsvTable::parse(intervals_csv(result));
  EXPECT_DOUBLE_EQ(table.number(0, "noc_queue_avg"), 1.5);
  EXPECT_DOUBLE_EQ(table.number(0, "noc_replies_avg"), 0.5);
}

TEST(CtasCsv, one_line_per_block_in_shader_cycles) {
  Result result = test::sample_result();
  result.launches[0].statistics.sms[0].block_times[1].end = BlockTimes::unfinished;
  EXPECT_EQ(ctas_csv(result), "launch,cta,sm,slot,cycle_begin,cycle_end\n0,0,0,0,0,180\n0,1,0,1,8,\n");
}

}  // namespace
}  // namespace teslasim
