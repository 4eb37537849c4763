// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/stats_json.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/report/result/statistic.h"
#include "sim/report/result/statistic_table.h"
#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;

Json document(const Result& result) {
  return Json::parse(stats_json(result));
}

Result functional_result() {
  Result result = test::sample_result();
  LaunchStatistics& launch = result.launches[0].statistics;
  launch.timed = false;
  launch.sms.clear();
  launch.partitions.clear();
  result.machine.preset.clear();
  return result;
}

TEST(StatsJson, has_the_keys_that_readers_rely_on) {
  const Json json = document(test::sample_result());
  EXPECT_EQ(json["schema"], "teslasim.stats/1");
  EXPECT_EQ(json["digest"], "9f3a61c207bed41d");
  EXPECT_EQ(json["counters_digest"], "0000000000005e1d");
  EXPECT_EQ(json["machine"]["preset"], "two@1.0.0");
  const Json& launch = json["launches"][0];
  EXPECT_EQ(launch["grid"], Json::parse("[2, 1]"));
  EXPECT_EQ(launch["block"], Json::parse("[64, 1, 1]"));
  EXPECT_EQ(launch["time"]["cycles"], 200);
  EXPECT_DOUBLE_EQ(launch["time"]["ms"].get<double>(), 0.000154321);
  EXPECT_EQ(launch["issue_slots"]["total"], 200);
  EXPECT_EQ(launch["issue_slots"]["mem.global"], 88);
  EXPECT_EQ(launch["warp_cycles"]["wait.mem.global"], 388);
  EXPECT_EQ(launch["warp_cycles"]["issuing"], 8);
  EXPECT_EQ(launch["warp_cycles"]["ready-not-chosen"], 0);
  EXPECT_EQ(launch["shared"]["degree_hist"]["3"], 2);
  EXPECT_EQ(launch["constant"]["accesses"], 0);
  EXPECT_EQ(launch["global"]["transactions"]["64"], 4);
  EXPECT_EQ(launch["dram"]["read_bytes"], 128);
  EXPECT_EQ(launch["per_sm"].size(), 2U);
  EXPECT_EQ(launch["outputs"]["checked"], 1);
  EXPECT_EQ(launch["outputs"]["ok"], true);
  EXPECT_EQ(json["host"]["warp_instr_per_s"], 16.0);
}

TEST(StatsJson, a_sample_of_blocks_stands_beside_what_was_counted) {
  EXPECT_FALSE(document(test::sample_result())["launches"][0].contains("sample"));
  const Json launch = document(test::block_sample())["launches"][0];
  EXPECT_EQ(launch["sampled"], true);
  EXPECT_EQ(launch["time"]["cycles"], 200);
  EXPECT_EQ(launch["sample"]["measured_cycles"], 200);
  EXPECT_EQ(launch["sample"]["cycles"], 1000);
  EXPECT_EQ(launch["sample"]["cycles_bound"], 20);
  EXPECT_EQ(launch["sample"]["timed_blocks"], 2);
  EXPECT_EQ(launch["sample"]["function_blocks"], 8);
  EXPECT_EQ(launch["sample"]["steady"], true);
}

TEST(StatsJson, counts_are_integers) {
  const Json json = document(test::sample_result());
  EXPECT_TRUE(json["launches"][0]["time"]["cycles"].is_number_unsigned());
  EXPECT_TRUE(json["launches"][0]["issue_slots"]["issued"].is_number_unsigned());
}

TEST(StatsJson, what_does_not_apply_is_null_with_a_why) {
  const Json json = document(functional_result());
  EXPECT_TRUE(json["machine"]["preset"].is_null());
  EXPECT_EQ(json["machine"]["why"], "the machine is not a preset");
  const Json& time = json["launches"][0]["time"];
  EXPECT_TRUE(time["cycles"].is_null());
  EXPECT_EQ(time["why"], "functional mode has no time");
  EXPECT_TRUE(json["launches"][0]["issue_slots"]["mem.global"].is_null());
  EXPECT_EQ(json["launches"][0]["instructions"]["warp"], 8);
}

TEST(StatsJson, ratios_without_a_denominator_are_null_not_nan) {
  Result result = test::sample_result();
  result.launches[0].statistics = LaunchStatistics{};
  result.host.seconds = 0.0;
  const std::string text = stats_json(result);
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
  EXPECT_TRUE(Json::parse(text)["host"]["warp_instr_per_s"].is_null());
}

TEST(StatsJson, the_launches_list_exists_even_when_nothing_ran) {
  Result result = test::sample_result();
  result.launches.clear();
  EXPECT_EQ(document(result)["launches"], Json::array());
}

/// Writes schema and document and lets python3-jsonschema judge.
int judge(const std::string& name, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(TESLASIM_BINARY_DIR) / "report_tests";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / (name + ".schema.json")) << stats_json_schema();
  std::ofstream(folder / (name + ".json")) << text;
  const std::string command =
      "python3 -c 'import json,sys,jsonschema; "
      "jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))' '" +
      (folder / (name + ".schema.json")).string() + "' '" + (folder / (name + ".json")).string() + "' 2>/dev/null";
  return std::system(command.c_str());
}

class StatsSchema : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c 'import jsonschema' 2>/dev/null") != 0) GTEST_SKIP() << "python3-jsonschema is missing";
  }
};

TEST_F(StatsSchema, accepts_what_we_write) {
  EXPECT_EQ(judge("timed", stats_json(test::sample_result())), 0);
  EXPECT_EQ(judge("functional", stats_json(functional_result())), 0);
  Result stopped = test::sample_result();
  stopped.status = RunStatus::stuck;
  stopped.launches[0].outputs.reset();
  EXPECT_EQ(judge("stopped", stats_json(stopped)), 0);
}

TEST_F(StatsSchema, refuses_what_we_never_write) {
  Json json = document(test::sample_result());
  json["launches"][0]["time"]["cycles"] = 0.5;
  EXPECT_NE(judge("fraction", json.dump()), 0);
  json = document(test::sample_result());
  json["launches"][0]["issue_slots"].erase("mem.global");
  EXPECT_NE(judge("missing", json.dump()), 0);
  json = document(test::sample_result());
  json["launches"][0]["surprise"] = 1;
  EXPECT_NE(judge("surprise", json.dump()), 0);
}

TEST(StatsSchemaText, says_what_members_mean) {
  const Json launch = Json::parse(stats_json_schema())["properties"]["launches"]["items"]["properties"];
  const Json& walks = launch["tlb"]["properties"]["walks"];
  EXPECT_EQ(walks["type"], Json::parse(R"(["integer", "null"])"));
  EXPECT_EQ(walks["description"], find_statistic("tlb/walks")->sentence);
  EXPECT_EQ(launch["divergence"]["properties"]["branches"]["type"], "integer");
}

TEST(StatisticTable, every_statistic_of_a_launch_has_a_row) {
  const Result result = test::block_sample();
  for (const Statistic& statistic : statistics_of(result.launches[0], 0, result.machine)) {
    EXPECT_NE(find_statistic(statistic.path), nullptr) << statistic.path;
  }
}

TEST(StatisticTable, every_row_is_a_statistic) {
  Result result = test::block_sample();
  result.launches[0].merged = MergedLaunches{};  // the rows of a sum too
  std::vector<Statistic> all = statistics_of(result.launches[0], 0, result.machine);
  for (const Statistic& statistic : statistics_of(result)) all.push_back(statistic);
  for (const StatisticInfo& row : statistic_table()) {
    const bool used = std::any_of(all.begin(), all.end(), [&row](const Statistic& statistic) {
      const StatisticInfo* found = find_statistic(statistic.path);
      return found != nullptr && found->path == row.path;
    });
    EXPECT_TRUE(used) << row.path;
    EXPECT_FALSE(row.sentence.empty()) << row.path;
  }
}

TEST(StatisticTable, paths_are_shown_with_dots) {
  EXPECT_EQ(dotted("per_sm/#3/issue_slots/mem.global"), "per_sm.issue_slots.mem.global");
  EXPECT_EQ(find_statistic("issue_slots/total")->path, "issue_slots.total");
  EXPECT_EQ(find_statistic("issue_slots/mem.global")->path, "issue_slots.*");
  EXPECT_EQ(find_statistic("nonsense/at/all"), nullptr);
}

}  // namespace
}  // namespace teslasim
