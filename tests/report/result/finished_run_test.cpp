// SPDX-License-Identifier: Apache-2.0
// What a run left and what its files say are the same.
#include "sim/report/result/finished_run.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/base/config_loader.h"
#include "sim/base/csv.h"
#include "sim/report/html/html_report.h"
#include "sim/report/html/lane_pictures.h"
#include "sim/report/result/lanes_json.h"
#include "sim/report/result/stats_json.h"
#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

/// With everything that a file could lose on its way: numbers that no short decimal has, text that needs quotes.
Result awkward_result() {
  Result result = test::sample_result();
  LaunchResult& launch = result.launches[0];
  launch.statistics.kernel = "k\"<\xff>\t";
  launch.statistics.duration = 154'321'987'654'321;
  launch.listing[0].target = 16;
  launch.statistics.pcs[0].latency.add(123);
  launch.statistics.intervals.memory.add(interval_noc_requests, 3, 64);
  launch.statistics.sms[0].block_times[1].end = BlockTimes::unfinished;
  Prediction& model = launch.predictions[0];
  model.inputs = {{"banks", 16, "", "banks", InputOrigin::configuration, "sm.shared.banks"},
                  {"limit", 0, "registers", "", InputOrigin::launch, "kernel"}};
  model.terms = {{"t", 1.0 / 3.0, "ms", "a third"}};
  model.notes = {"a note"};
  result.configuration = {{"name", "\"Two # SMs\"", "", "two.toml:1", "a # b", "", "", ""},
                          {"clock.shader_mhz", "1296.0", "", "preset", "", "", "", ""},
                          {"clock.strange", "\"say \\\"# from: me\\\"\"", "", "--set", "", "", "", ""}};
  return result;
}

/// The same run from the text of its files.
FinishedRun from_text(const Result& result) {
  FinishedRun run;
  run.label = "run";
  run.statistics = read_statistics("run", stats_json(result));
  run.instructions = read_pc_csv(pc_csv(result));
  run.intervals = read_intervals_csv(intervals_csv(result));
  run.blocks = read_ctas_csv(ctas_csv(result));
  run.predictions = read_predictions("run", prediction_json(predictions_of(result)));
  run.configuration = read_configuration(config_toml("s/1", result.configuration));
  return run;
}

TEST(FinishedRun, gives_the_same_page_from_the_result_and_from_its_files) {
  for (const Result& result : {test::sample_result(), test::cut_off(), awkward_result()})
    EXPECT_EQ(html_report({finished_run(result, "run")}), html_report({from_text(result)}));
}

TEST(FinishedRun, of_many_times_keeps_each_bit_of_the_milliseconds) {
  Result result = test::sample_result();
  result.launches[0].predictions.resize(1);
  double seconds = 1e-7;
  for (int i = 0; i < 5000; ++i, seconds *= 1.0037) {
    result.launches[0].predictions[0].seconds = seconds;
    const auto back = read_predictions("run", prediction_json(predictions_of(result)));
    ASSERT_EQ(1e3 * *back[0].predictions[0].seconds, 1e3 * seconds) << i;
  }
}

TEST(FinishedRun, keeps_all_of_a_prediction) {
  const Result result = awkward_result();
  const auto back = read_predictions("run", prediction_json(predictions_of(result)));
  const Prediction& model = back.at(0).predictions.at(0);
  EXPECT_EQ(model.level, PredictionLevel::p1);
  EXPECT_EQ(model.bound, "memory");
  EXPECT_EQ(model.notes, std::vector<std::string>{"a note"});
  ASSERT_EQ(model.inputs.size(), 2U);
  EXPECT_EQ(model.inputs[0].origin, InputOrigin::configuration);
  EXPECT_EQ(model.inputs[0].unit, "banks");
  EXPECT_EQ(model.inputs[0].source, "sm.shared.banks");
  EXPECT_EQ(model.inputs[1].text, "registers");
  EXPECT_EQ(back[0].predictions.at(1).refusal, "it needs more");
}

TEST(FinishedRun, keeps_rows_of_blocks_and_intervals) {
  const Result result = awkward_result();
  EXPECT_EQ(read_ctas_csv(ctas_csv(result)), block_rows(result));
  const std::vector<IntervalRow> rows = interval_rows(result), back = read_intervals_csv(intervals_csv(result));
  ASSERT_EQ(rows.size(), back.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].sm, back[i].sm);
    EXPECT_EQ(rows[i].end, back[i].end);
    EXPECT_EQ(rows[i].slots, back[i].slots);
    ASSERT_EQ(rows[i].memory.has_value(), back[i].memory.has_value());
    if (rows[i].memory) {
      EXPECT_EQ(rows[i].memory->partitions, back[i].memory->partitions);
    }
  }
}

TEST(FinishedRun, of_damaged_tables_has_gaps) {
  EXPECT_TRUE(read_pc_csv("").empty());
  ASSERT_EQ(read_pc_csv("pc,text\nnonsense,\"x\n").size(), 1U);
  EXPECT_EQ(read_intervals_csv("launch,sm\n-3,zebra\n").at(0).launch, 0U);
  EXPECT_TRUE(read_configuration("[[[").empty());
  EXPECT_TRUE(read_lanes("{\"executions\": [1, {\"lanes\": \"x\", \"address\": 3}]}").records.size() == 2);
  FinishedRun run = from_text(test::sample_result());
  run.instructions = read_pc_csv("pc\n1\n");
  run.blocks = read_ctas_csv("sm\n1,2,3\n");
  EXPECT_FALSE(html_report({run}).empty());
}

TEST(StatisticTree, finds_members_by_dotted_names) {
  const StatisticTree tree = statistic_tree(test::sample_result());
  const StatisticTree& launch = tree["launches"].at(0);
  EXPECT_EQ(launch["issue_slots"]["mem.global"].number(), 88.0);
  EXPECT_EQ(launch["issue_slots.mem.global"].number(), 88.0);
  EXPECT_EQ(launch["outputs.ok"].text(), "true");
  EXPECT_EQ(launch["nothing"]["deeper"].text(), "");
  EXPECT_EQ(launch["dram.partitions"].size(), 2U);
}

TEST(LanesJson, brings_back_what_was_recorded) {
  LaneRecord record;
  record.pc = 0xa8;
  record.text = "mov.u32 $r3, s[$ofs2]";
  record.lanes = all_lanes;
  for (unsigned lane = 0; lane < warp_size; ++lane) record.address[lane] = 8 * lane;
  record.space = LaneRecord::Space::global;
  record.segments = {{0x40, 64, 0xffff}, {0x80, 64, 0xffff0000}};
  const LaneRecords back = read_lanes(lanes_json({{record}, 7}));
  ASSERT_EQ(back.records.size(), 1U);
  EXPECT_EQ(back.dropped, 7U);
  EXPECT_EQ(back.records[0].address, record.address);
  EXPECT_EQ(back.records[0].segments[1].lanes, 0xffff0000U);
  EXPECT_EQ(lane_text(back.records[0]), lane_text(record));
}

}  // namespace
}  // namespace teslasim
