// SPDX-License-Identifier: Apache-2.0
// Datasheet of the tables of run.sqlite: of a run that says little, and the views for the columns that are there.
#include "sim/database/run_tables.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

FinishedRun small_run() {
  FinishedRun run;
  run.label = "001-small";
  StatisticTree& launch = run.statistics.member("launches").element(0);
  launch.member("index").set(std::uint64_t{3});
  launch.member("kernel").set(std::string("small"));
  launch.member("grid").element(0).set(std::uint64_t{16});
  launch.member("grid").element(1).set(std::uint64_t{2});
  launch.member("time").member("cycles").set(std::uint64_t{99});
  return run;
}

TEST(RunTables, a_run_that_left_no_end_has_a_line_with_gaps) {
  const DatabaseTable table = run_table(small_run(), "", "");
  ASSERT_EQ(table.rows.rows(), 1U);
  EXPECT_EQ(table.rows.text(0, "name"), "001-small");
  EXPECT_EQ(table.rows.text(0, "status"), "");
  EXPECT_EQ(table.rows.text(0, "command"), "");
}

TEST(RunTables, launches_have_their_numbers_and_sizes) {
  const DatabaseTable table = launch_table_of(small_run());
  ASSERT_EQ(table.rows.rows(), 1U);
  EXPECT_EQ(table.rows.text(0, "launch"), "3");
  EXPECT_EQ(table.rows.text(0, "grid"), "16x2");
  EXPECT_EQ(table.rows.text(0, "cycles"), "99");
  EXPECT_EQ(table.rows.text(0, "sampled"), "0");
  EXPECT_EQ(table.rows.text(0, "limiter"), "");
}

TEST(RunTables, errors_of_models_are_those_of_their_times) {
  FinishedRun run = small_run();
  Prediction good, refused;
  good.model = "good";
  good.seconds = 0.002;
  good.terms = {{"warps", 32, "warps", "resident"}};
  refused.model = "refused";
  refused.refusal = "no loads";
  run.predictions = {{"small", {good, refused}, 1.0}};
  const DatabaseTable models = model_table(run), terms = model_term_table(run);
  ASSERT_EQ(models.rows.rows(), 2U);
  EXPECT_EQ(models.rows.text(0, "ms"), "2");
  EXPECT_EQ(models.rows.text(0, "error"), "1");
  EXPECT_EQ(models.rows.text(1, "ms"), "");
  EXPECT_EQ(models.rows.text(1, "error"), "");
  EXPECT_EQ(models.rows.text(1, "refusal"), "no loads");
  ASSERT_EQ(terms.rows.rows(), 1U);
  EXPECT_EQ(terms.rows.text(0, "launch"), "3");
  EXPECT_EQ(terms.rows.text(0, "value"), "32");
}

TEST(RunTables, lost_slots_are_stalls_and_replays) {
  const std::vector<DatabaseView> views =
      run_views(CsvTable({"pc", "slots_issued", "slots_replay_shared", "stall_mem_global", "bytes"}));
  ASSERT_EQ(views.size(), 2U);
  EXPECT_NE(views[1].query.find("coalesce(\"slots_replay_shared\", 0) + coalesce(\"stall_mem_global\", 0)"),
            std::string::npos);
  EXPECT_EQ(run_views(CsvTable()).size(), 1U) << "there is no pc.csv";
}

}  // namespace
}  // namespace teslasim
