// SPDX-License-Identifier: Apache-2.0
// Datasheet of `compare`: reading statistics back, changes, limits, measurements, terms of models.
#include "sim/report/compare/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/base/diagnostic.h"
#include "sim/report/compare/model_compare.h"
#include "tests/report/sample_result.h"
#include "tests/report/sample_runs.h"

namespace teslasim {
namespace {

using test::run_of;
using test::slower;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(RunData, NumbersOfASingleLaunchHaveShortNames) {
  const RunData run = run_of(test::sample_result());
  EXPECT_DOUBLE_EQ(run.find("instructions.warp").value(), 8.0);
  EXPECT_DOUBLE_EQ(run.find("cycles").value(), 200.0);
  EXPECT_NEAR(run.find("time_ms").value(), 0.000154321, 1e-12);
  EXPECT_DOUBLE_EQ(run.find("slots_pct.issued").value(), 4.0);
  EXPECT_FALSE(run.find("nonsense").has_value());
  EXPECT_EQ(run.kernels().front(), "copy");
  EXPECT_EQ(run.word("models.sample.bound"), "memory");
}

TEST(RunData, CountsOfSeveralLaunchesAreSummed) {
  Result result = test::sample_result();
  result.launches.push_back(result.launches[0]);
  const RunData run = run_of(result);
  EXPECT_DOUBLE_EQ(run.find("instructions.warp").value(), 16.0);
  EXPECT_DOUBLE_EQ(run.find("launches.1.instructions.warp").value(), 8.0);
  EXPECT_NEAR(run.find("time_ms").value(), 2 * 0.000154321, 1e-12);
  EXPECT_FALSE(run.find("dram.utilisation_pct").has_value());
}

TEST(RunData, SoundRunsFinishedWithRightOutputs) {
  EXPECT_TRUE(run_of(test::sample_result()).sound());
  EXPECT_EQ(run_of(test::cut_off()).flaw(), "did not finish (limit)");
  EXPECT_EQ(run_of(test::wrong_outputs()).flaw(), "has wrong outputs: out (3 of 128 elements)");
  EXPECT_EQ(run_of(test::sample_result()).outputs().checked, 1U);
  EXPECT_FALSE(run_of(test::sample_result()).sampled());
}

TEST(RunData, ValuesOfAnotherKindAreDamage) {
  for (const char* text :
       {R"({"launches": 1})", R"({"launches": [{"kernel": 1}]})", R"({"launches": [], "status": {}})",
        R"({"launches": [{"outputs": {"buffers": [{}]}}]})", R"({"launches": [1]})"}) {
    EXPECT_THROW((void)RunData::from_json("x", text), InputError) << text;
  }
}

TEST(RunData, CountsThatAreNoneAreDamage) {
  const std::string good = stats_json(test::sample_result());
  const auto with = [&](const std::string& name, const std::string& value) {
    const std::size_t place = good.find('"' + name + "\":"), end = good.find_first_of(",\n", place);
    return good.substr(0, place) + '"' + name + "\": " + value + good.substr(end);
  };
  EXPECT_NO_THROW((void)RunData::from_json("x", good));
  for (const char* value : {"\"many\"", "-5", "true", "[1]", "{}"}) {
    EXPECT_THROW((void)RunData::from_json("x", with("cycles", value)), InputError) << value;
    EXPECT_THROW((void)RunData::from_json("x", with("replay.const", value)), InputError) << value;
  }
  EXPECT_THROW((void)RunData::from_json("x", R"({"launches": [{"kernel": "k"}]})"), InputError);
}

TEST(RunData, SomethingElseIsRefused) {
  EXPECT_THROW((void)RunData::from_json("x", "{}"), InputError);
  EXPECT_THROW((void)RunData::from_json("x", "not json"), InputError);
}

TEST(Compare, ARunDoesNotDifferFromItself) {
  const RunData run = run_of(test::sample_result());
  EXPECT_TRUE(changed_statistics({run, run}, 0.01).empty());
  EXPECT_THAT(compare_text({run, run}, {}), HasSubstr("0 statistics changed"));
}

TEST(Compare, ShowsTheChangeOfTheTime) {
  const std::string text = compare_text({run_of(test::sample_result()), run_of(slower(), "002-copy")}, {});
  EXPECT_THAT(text, HasSubstr("+100.0 %"));
  EXPECT_THAT(text, HasSubstr("(2.00x slower)"));
  EXPECT_THAT(text, HasSubstr("issue slots: issued"));
  EXPECT_THAT(text, HasSubstr("(--all lists them)"));
  CompareOptions all;
  all.all = true;
  EXPECT_THAT(compare_text({run_of(test::sample_result()), run_of(slower())}, all), HasSubstr("shared.replays"));
}

TEST(Compare, JsonNamesWhatChanged) {
  const std::string json = compare_json({run_of(test::sample_result()), run_of(slower())}, {});
  EXPECT_THAT(json, HasSubstr("teslasim.compare/1"));
  EXPECT_THAT(json, HasSubstr("time.cycles"));
  EXPECT_THAT(json, Not(HasSubstr("host.seconds")));
}

TEST(Compare, SaysWhetherTheRunsCanBeCompared) {
  const std::string text = compare_text({run_of(test::sample_result()), run_of(test::cut_off(), "002-copy")}, {});
  EXPECT_THAT(text, HasSubstr("status                                          ok             limit\n"));
  EXPECT_THAT(text, HasSubstr("outputs                                OK (1 of 1)"));
  EXPECT_THAT(text, HasSubstr("(002-copy did not finish (limit))"));
  EXPECT_THAT(text, Not(HasSubstr("faster")));
  const std::string wrong = compare_text({run_of(test::wrong_outputs()), run_of(test::sample_result())}, {});
  EXPECT_THAT(wrong, HasSubstr("WRONG (0 of 1)"));
  EXPECT_THAT(wrong, HasSubstr("has wrong outputs: out (3 of 128 elements)"));
  EXPECT_THAT(wrong, Not(HasSubstr("x faster")));
}

TEST(Compare, ASampleIsNotFasterThanAWholeGrid) {
  Result sample = test::sample_result();
  sample.launches[0].sampled = true;
  const std::string text = compare_text({run_of(test::sample_result()), run_of(sample, "002-copy")}, {});
  EXPECT_THAT(text, HasSubstr("ok, sample"));
  EXPECT_THAT(text, HasSubstr("(002-copy ran some blocks of its grid, 001-copy all)"));
}

TEST(Compare, TimesOfSamplesAreThoseOfAllBlocks) {
  const RunData sample = run_of(test::block_sample(), "002-copy");
  EXPECT_DOUBLE_EQ(sample.find("cycles").value(), 1000.0);
  EXPECT_NEAR(sample.find("time_ms").value(), 5 * 0.000154321, 1e-9);
  EXPECT_DOUBLE_EQ(sample.find("time.cycles").value(), 200.0);
  const std::string text = compare_text({run_of(test::sample_result()), sample}, {});
  EXPECT_THAT(text, HasSubstr("blocks in time                              2 of 2           2 of 10\n"));
  EXPECT_THAT(text, HasSubstr("time: bound at 95 %                       measured   +-0.00001543 ms\n"));
  EXPECT_THAT(text, HasSubstr("(002-copy ran some blocks of its grid in time, 001-copy all; its time is extrapolated"));
  Result longer = test::block_sample();
  longer.launches[0].sample->time += longer.launches[0].sample->time;
  EXPECT_THAT(compare_text({sample, run_of(longer)}, {}), HasSubstr("(2.00x slower)"));
}

TEST(Compare, ModelsAreHeldAgainstTheTimedBlocksOfASample) {
  const Result sample = test::block_sample();
  EXPECT_THAT(model_compare_text(predictions_of(sample), run_of(sample)),
              HasSubstr("all of it about the 2 of 10 blocks that ran in time"));
}

TEST(RunData, TimesOfSeveralLaunchesTakeSamplesAsExtrapolated) {
  Result result = test::block_sample();
  result.launches.push_back(test::sample_result().launches[0]);
  EXPECT_DOUBLE_EQ(run_of(result).find("cycles").value(), 1200.0);
  EXPECT_EQ(run_of(result).blocks().timed, 4U);
  EXPECT_EQ(run_of(result).blocks().all, 12U);
}

TEST(Compare, OtherKernelsAreShown) {
  Result other = test::sample_result();
  other.launches[0].statistics.kernel = "scan";
  EXPECT_THAT(compare_text({run_of(test::sample_result()), run_of(other)}, {}), HasSubstr("kernel  "));
  EXPECT_THAT(compare_text({run_of(test::sample_result()), run_of(test::sample_result())}, {}),
              Not(HasSubstr("kernel  ")));
  other.launches.push_back(other.launches[0]);
  EXPECT_THAT(compare_text({run_of(test::sample_result()), run_of(other)}, {}), HasSubstr("2 launches"));
}

TEST(Compare, JsonHasStatusOutputsAndTheGate) {
  const std::vector<RunData> runs{run_of(test::sample_result()), run_of(test::cut_off(), "002-copy")};
  const std::string json = compare_json(runs, {}, {check_limit(parse_change_limit("time_ms>+2%"), runs)});
  EXPECT_THAT(json, HasSubstr("\"status\": \"limit\""));
  EXPECT_THAT(json, HasSubstr("\"flaw\": \"did not finish (limit)\""));
  EXPECT_THAT(json, HasSubstr("\"pass\": false"));
  EXPECT_THAT(compare_json(runs, {}), Not(HasSubstr("fail_on")));
}

TEST(ModelCompare, TermsStandBesideTheirCounterparts) {
  Result result = test::sample_result();
  Prediction model{"zhang-owens", 1e-7, "shared memory", PredictionLevel::p0, {}, {}, {}, ""};
  model.terms = {{"t_instruction_ms", 1e-4, "ms", ""}, {"t_shared_ms", 5e-5, "ms", ""}};
  result.launches[0].predictions = {model};
  const std::vector<LaunchPredictions> back = read_predictions("x", prediction_json(predictions_of(result)));
  ASSERT_EQ(back.size(), 1U);
  const std::vector<TermComparison> rows = compare_terms(back[0].predictions[0], run_of(result), "");
  ASSERT_EQ(rows.size(), 2U);
  // 40 of 200 SM cycles of two SMs: a fifth of the time of the launch.
  EXPECT_NEAR(rows[0].simulated, 0.2 * 0.000154321, 1e-12);
  const std::string text = model_compare_text(back, run_of(result));
  EXPECT_THAT(text, HasSubstr("t_instruction_ms differs most"));
}

TEST(ModelCompare, JsonHasEachTermBesideItsCounterpart) {
  const Prediction model{"zhang-owens", 1e-7, "shared memory", PredictionLevel::p0, {}, {}, {}, ""};
  Prediction refused = model, told = model;
  told.terms = {{"t_shared_ms", 5e-5, "ms", ""}, {"of_no_counterpart", 1.0, "", ""}};
  refused.refusal = "no global memory";
  refused.terms = told.terms;
  const std::vector<LaunchPredictions> launches{{"copy", {told, refused}, {}}};
  const RunData run = run_of(test::sample_result());
  const auto document = nlohmann::json::parse(model_compare_json(launches, run));
  EXPECT_EQ(document["schema"], models_schema);
  const auto& predictions = document["launches"][0]["predictions"];
  ASSERT_EQ(predictions.size(), 2U);
  const std::vector<TermComparison> rows = compare_terms(told, run, "");
  ASSERT_EQ(rows.size(), 1U);
  ASSERT_EQ(predictions[0]["compared"].size(), 1U);
  const auto& row = predictions[0]["compared"][0];
  EXPECT_EQ(row["term"], "t_shared_ms");
  EXPECT_EQ(row["against"], rows[0].against);
  EXPECT_EQ(row["unit"], "ms");
  EXPECT_DOUBLE_EQ(row["predicted"].get<double>(), 5e-5);
  EXPECT_DOUBLE_EQ(row["simulated"].get<double>(), rows[0].simulated);
  EXPECT_EQ(row.size(), 5U) << row.dump();
  EXPECT_TRUE(predictions[1]["compared"].empty()) << "refused";
}

TEST(ModelCompare, DamagedFilesAreRefused) {
  EXPECT_THROW((void)read_predictions("x", "[]"), InputError);
}

}  // namespace
}  // namespace teslasim
