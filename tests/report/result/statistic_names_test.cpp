// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/statistic_names.h"

#include <gtest/gtest.h>

#include "sim/report/result/run_data.h"
#include "sim/report/result/stats_json.h"
#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

TEST(StatisticNames, every_number_of_a_run_has_one) {
  Result result = test::sample_result();
  for (int launches = 1; launches <= 2; ++launches) {
    const RunData run = RunData::from_json("run", stats_json(result));
    for (const auto& [name, value] : run.numbers()) {
      EXPECT_TRUE(is_statistic_name(name)) << name;
    }
    result.launches.push_back(result.launches[0]);
  }
}

TEST(StatisticNames, short_names_and_shares) {
  for (const char* name : {"time_ms", "cycles", "slots_pct.mem.global", "stall.mem.global_pct"}) {
    EXPECT_TRUE(is_statistic_name(name)) << name;
  }
  EXPECT_EQ(reason_in_name("slots_pct.mem.global"), "mem.global");
  EXPECT_EQ(reason_in_name("stall.mem.global_pct"), "mem.global");
  EXPECT_EQ(reason_in_name("time_ms"), "");
  const RunData run = RunData::from_json("run", stats_json(test::sample_result()));
  EXPECT_EQ(run.find("stall.mem.global_pct"), run.find("slots_pct.mem.global"));
  EXPECT_TRUE(run.find("stall.mem.global_pct").has_value());
}

TEST(StatisticNames, others_are_none) {
  for (const char* name : {"", ".", "nonsense", "time", "slots_pct.", "stall.x_pct", "launches.#.time.ms",
                           "models.#.predicted_ms", "time_ms ", "TIME_MS"}) {
    EXPECT_FALSE(is_statistic_name(name)) << name;
  }
  EXPECT_EQ(nearest_statistic_name("tmie_ms"), "time_ms");
  EXPECT_EQ(nearest_statistic_name("shared.replay"), "shared.replays");
}

TEST(StatisticNames, words_are_for_conditions_of_one_run) {
  for (const char* name : {"outputs_ok", "kernel", "time.clock", "launches.0.outputs.ok"}) {
    EXPECT_FALSE(is_statistic_name(name)) << name;
    EXPECT_TRUE(is_statistic_name(name, NamedValue::any)) << name;
  }
}

TEST(StatisticNames, units) {
  EXPECT_EQ(statistic_unit("time_ms"), "ms");
  EXPECT_EQ(statistic_unit("launches.3.time.ms"), "ms");
  EXPECT_EQ(statistic_unit("cycles"), "SP cycles");
  EXPECT_EQ(statistic_unit("global.bytes"), "bytes");
  EXPECT_EQ(statistic_unit("stall.fetch_pct"), "%");
  EXPECT_EQ(statistic_unit("nonsense"), "");
}

}  // namespace
}  // namespace teslasim
