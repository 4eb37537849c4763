// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_status.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/text/format.h"
#include "sim/run/host_name.h"

namespace teslasim {
namespace {

Moment some_moment() {
  Moment result;
  result.kernel = "reduce1";
  result.progress = {1234, 4096, 800'000, 20'000};
  result.seconds = 2.1;
  result.warp_instr_per_s = 400'000;
  result.eta_seconds = 65.2;
  return result;
}

Moment moment_at(std::size_t launch, double seconds, Progress progress) {
  Moment result;
  result.launch = launch;
  result.seconds = seconds;
  result.progress = progress;
  return result;
}

TEST(Progress, a_line_with_what_is_left) {
  EXPECT_EQ(progress_line(some_moment()), "reduce1  1234/4096 blocks  30 %  2.1 s  400.00 k warp-instr/s  ETA 1:05");
}

TEST(Progress, several_launches_are_counted) {
  Moment later = some_moment();
  later.launch = 1;
  later.launches = 3;
  later.eta_seconds = -1.0;
  EXPECT_EQ(progress_line(later), "[2/3] reduce1  1234/4096 blocks  30 %  2.1 s  400.00 k warp-instr/s");
}

TEST(Progress, long_names_stay_on_the_line) {
  Moment wide = some_moment();
  wide.kernel = std::string(200, 'k');
  wide.progress = {1ULL << 60, 1ULL << 61, 0, 0};
  EXPECT_LE(columns(progress_line(wide)), 100U);
}

TEST(Progress, json_for_programs) {
  const auto json = nlohmann::json::parse(progress_json(some_moment()));
  EXPECT_EQ(json["ctas_done"], 1234);
  EXPECT_EQ(json["eta_s"], 65.2);
}

TEST(RunStatusRecord, is_of_this_process) {
  const auto status = nlohmann::json::parse(status_json(status_of_process("running", some_moment(), {})));
  EXPECT_EQ(status["schema"], "teslasim.status/1");
  EXPECT_EQ(status["phase"], "running");
  EXPECT_GT(status["rss_mb"], 0.0);
  EXPECT_EQ(status["host"], host_name());
  EXPECT_GT(status["process"], 1);
  EXPECT_TRUE(status["intervals"].empty());
}

TEST(RunStatusRecord, is_read_as_it_was_written) {
  RunStatusRecord written = status_of_process("ok", some_moment(), {{2, 1.5, 3.5, 100, 900, 4000, 7}});
  written.moment.eta_seconds = -1.0;
  const std::optional<RunStatusRecord> read = read_status(status_json(written));
  ASSERT_TRUE(read);
  EXPECT_EQ(status_json(*read), status_json(written));
  EXPECT_FALSE(read->running());
}

TEST(RunStatusRecord, what_is_not_told_is_empty) {
  for (const char* text : {"", "[]", "3", "{"}) EXPECT_FALSE(read_status(text)) << text;
  EXPECT_FALSE(read_status(std::string(100'000, '[')));
  const auto status =
      read_status(R"({"seconds": "2", "ctas_done": -3, "eta_s": null, "phase": 1, "intervals": [3, {}]})");
  ASSERT_TRUE(status);
  EXPECT_EQ(status->moment.seconds, 0.0);
  EXPECT_EQ(status->moment.progress.ctas_done, 0U);
  EXPECT_LT(status->moment.eta_seconds, 0.0);
  EXPECT_EQ(status->phase, "");
  EXPECT_EQ(status->intervals.size(), 1U);
}

TEST(RunStatusRecord, times_without_measure_are_times) {
  EXPECT_EQ(clock_text(65.2), "1:05");
  EXPECT_EQ(clock_text(7209.0), "2:00:09");
  EXPECT_EQ(clock_text(-4.0), "0:00");
  EXPECT_FALSE(clock_text(1e300).empty());
}

TEST(RecentIntervals, are_what_grew_between_two_moments) {
  RecentIntervals intervals;
  intervals.end(moment_at(0, 2.0, {3, 9, 100, 50}));
  intervals.end(moment_at(0, 4.5, {5, 9, 180, 90}));
  ASSERT_EQ(intervals.list().size(), 2U);
  const StatusInterval& last = intervals.list().back();
  EXPECT_EQ(last.seconds_begin, 2.0);
  EXPECT_EQ(last.seconds_end, 4.5);
  EXPECT_EQ(last.cycle_begin, 50U);
  EXPECT_EQ(last.cycle_end, 90U);
  EXPECT_EQ(last.warp_instructions, 80U);
  EXPECT_EQ(last.ctas, 2U);
}

TEST(RecentIntervals, none_reaches_over_the_end_of_a_launch) {
  RecentIntervals intervals;
  intervals.end(moment_at(1, 2.0, {3, 9, 100, 50}));
  EXPECT_TRUE(intervals.list().empty());
  intervals.begin(moment_at(2, 3.0, {}));
  intervals.end(moment_at(2, 4.0, {1, 9, 10, 5}));
  ASSERT_EQ(intervals.list().size(), 1U);
  EXPECT_EQ(intervals.list().back().seconds_begin, 3.0);
}

TEST(RecentIntervals, work_that_was_undone_is_in_none) {
  RecentIntervals intervals;
  intervals.end(moment_at(0, 1.0, {3, 9, 100, 0}));
  intervals.end(moment_at(0, 2.0, {0, 9, 20, 0}));
  EXPECT_EQ(intervals.list().size(), 1U);
}

TEST(RecentIntervals, the_last_ones_are_kept) {
  RecentIntervals intervals;
  for (unsigned i = 1; i <= 25; ++i) intervals.end(moment_at(0, i, {i, 99, i, i}));
  ASSERT_EQ(intervals.list().size(), RecentIntervals::most);
  EXPECT_EQ(intervals.list().back().seconds_end, 25.0);
}

}  // namespace
}  // namespace teslasim
