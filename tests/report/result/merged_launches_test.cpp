// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/merged_launches.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/result/conservation.h"
#include "sim/report/result/digest.h"
#include "sim/report/result/stats_json.h"
#include "sim/report/text/summary.h"
#include "tests/report/changed_member.h"
#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

LaunchResult one() {
  LaunchResult launch = test::sample_result().launches.front();
  Prediction prediction;
  prediction.model = "volkov";
  prediction.seconds = 0.25;
  prediction.bound = "memory";
  prediction.terms = {{"warps", 4.0, "", ""}};
  launch.predictions = {prediction};
  return launch;
}

/// Launches 5, 7 and 9 of a run.
LaunchResult three() {
  LaunchResult sum = one();
  begin_sum(sum, 5);
  add_launch(sum, one(), 7);
  add_launch(sum, one(), 9);
  return sum;
}

TEST(MergedLaunches, counters_and_times_are_sums) {
  const LaunchStatistics single = one().statistics, sum = three().statistics;
  EXPECT_EQ(sum.shader_cycles, 3 * single.shader_cycles);
  EXPECT_EQ(sum.duration, 3 * single.duration);
  EXPECT_EQ(sum.warp_instructions, 3 * single.warp_instructions);
  EXPECT_EQ(sum.slots.sum(), 3 * single.slots.sum());
  EXPECT_EQ(sum.partitions.at(1).write_bytes, 3 * single.partitions.at(1).write_bytes);
  EXPECT_EQ(sum.sms.at(1).warp_instructions, 3 * single.sms.at(1).warp_instructions);
  EXPECT_EQ(sum.pcs.at(0).memory.bytes, 3 * single.pcs.at(0).memory.bytes);
  EXPECT_EQ(sum.request_latency.total, 3 * single.request_latency.total);
  EXPECT_EQ(sum.banks.of(0), 3 * single.banks.of(0));
}

TEST(MergedLaunches, whole_launches_count_as_measured_beside_samples) {
  LaunchResult sum = one(), sampled = test::block_sample().launches.front();
  sampled.predictions = sum.predictions;
  begin_sum(sum, 0);
  add_launch(sum, one(), 1);
  EXPECT_FALSE(sum.sample);
  add_launch(sum, sampled, 2);
  ASSERT_TRUE(sum.sample);
  EXPECT_TRUE(sum.sampled);
  EXPECT_EQ(sum.cycles(), 200 + 200 + 1000);
  EXPECT_EQ(sum.sample->timed_blocks, 6U);
  EXPECT_EQ(sum.sample->function_blocks, 8U);
  add_launch(sum, one(), 3);
  EXPECT_EQ(sum.cycles(), 1600U);
  EXPECT_EQ(sum.time(), 8 * one().statistics.duration);
  EXPECT_EQ(sum.sample->cycles_bound, 20U);
}

std::uint64_t digest_of_sum(unsigned changed_row, std::optional<test::ChangedMember>& member) {
  LaunchResult sum = one(), other = one();
  member = test::change_member(other.statistics, changed_row);
  begin_sum(sum, 0);
  if (member && member->sum != StatisticSum::kept) add_launch(sum, other, 1);
  Digest digest;
  digest.add(sum.statistics);
  return digest.value();
}

TEST(MergedLaunches, every_counter_of_the_tables_is_part_of_the_sum) {
  constexpr unsigned none = 100'000;
  std::optional<test::ChangedMember> member;
  LaunchResult plain = one();
  begin_sum(plain, 0);
  add_launch(plain, one(), 1);
  Digest reference;
  reference.add(plain.statistics);
  for (unsigned row = 0; row < none; ++row) {
    const std::uint64_t digest = digest_of_sum(row, member);
    if (!member) break;
    if (member->sum != StatisticSum::added || !member->in_digest) continue;
    EXPECT_NE(digest, reference.value()) << member->name;
  }
}

TEST(MergedLaunches, the_laws_of_a_launch_hold_for_the_sum) {
  EXPECT_TRUE(check_conservation(three().statistics).empty());
}

TEST(MergedLaunches, who_is_blamed_stays_sorted) {
  LaunchResult sum = one(), other = one();
  sum.statistics.pcs.at(0).blamed = {{1, 5}, {2, 4}};
  other.statistics.pcs.at(0).blamed = {{2, 3}, {7, 1}};
  begin_sum(sum, 0);
  add_launch(sum, other, 1);
  using Blamed = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
  EXPECT_EQ(sum.statistics.pcs.at(0).blamed, (Blamed{{2, 7}, {1, 5}, {7, 1}}));
}

TEST(MergedLaunches, a_sum_knows_its_launches) {
  LaunchResult sum = three();
  EXPECT_EQ(sum.index, 5U);
  EXPECT_EQ(sum.merged->count, 3U);
  EXPECT_EQ(sum.merged->last, 9U);
  EXPECT_TRUE(sum.merged->same_shape);
  LaunchResult wider = one();
  wider.statistics.grid[0] += 1;
  add_launch(sum, wider, 10);
  EXPECT_FALSE(sum.merged->same_shape);
}

TEST(MergedLaunches, details_of_single_launches_are_dropped) {
  const LaunchResult sum = three();
  EXPECT_FALSE(sum.statistics.intervals.recorded());
  for (const SmStatistics& sm : sum.statistics.sms)
    EXPECT_TRUE(sm.block_times.empty() && !sm.warps.kept && sm.warps.first.empty());
  EXPECT_TRUE(sum.predictions.front().terms.empty());
}

TEST(MergedLaunches, predicted_times_are_added_where_each_launch_has_one) {
  EXPECT_DOUBLE_EQ(*three().predictions.front().seconds, 0.75);
  EXPECT_EQ(three().predictions.front().bound, "memory");
  LaunchResult sum = three(), refused = one();
  refused.predictions.front().seconds.reset();
  refused.predictions.front().refusal = "no loads";
  add_launch(sum, refused, 11);
  EXPECT_FALSE(sum.predictions.front().seconds);
  EXPECT_EQ(sum.predictions.front().refusal, "no loads");
}

TEST(MergedLaunches, reports_number_the_entry_by_its_first_launch) {
  Result result = test::sample_result();
  result.launches = {three()};
  EXPECT_EQ(result.launches_run(), 3U);
  const nlohmann::json launch = nlohmann::json::parse(stats_json(result)).at("launches").at(0);
  EXPECT_EQ(launch.at("index"), 5);
  EXPECT_EQ(launch.at("merged"), (nlohmann::json{{"launches", 3}, {"last", 9}, {"same_shape", true}}));
  EXPECT_NE(summary(result, Bars::none).find("sum of 3 launches"), std::string::npos);
}

}  // namespace
}  // namespace teslasim
