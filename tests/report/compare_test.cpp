// SPDX-License-Identifier: Apache-2.0
// Datasheet of `compare`: reading statistics back, changes, limits, measurements, terms of models.
#include "sim/report/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_result.h"
#include "sim/base/diagnostic.h"
#include "sim/report/hardware_profile.h"
#include "sim/report/model_compare.h"
#include "sim/report/stats_json.h"

namespace teslasim {
namespace {

using testing::HasSubstr;
using testing::Not;

RunData run_of(const Result& result, const std::string& label = "001-copy") {
  return RunData::from_json(label, stats_json(result));
}

Result slower() {
  Result result = test::sample_result();
  LaunchStatistics& launch = result.launches[0].statistics;
  launch.duration *= 2;
  launch.shader_cycles *= 2;
  launch.shared.replays += 8;
  return result;
}

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

TEST(ChangeLimit, RelativeAndAbsolute) {
  const std::vector<RunData> runs{run_of(test::sample_result()), run_of(slower())};
  EXPECT_TRUE(check_limit(parse_change_limit("time_ms>+2%"), runs).failed);
  EXPECT_FALSE(check_limit(parse_change_limit("time_ms > +101%"), runs).failed);
  EXPECT_TRUE(check_limit(parse_change_limit("shared.replays>+7"), runs).failed);
  EXPECT_FALSE(check_limit(parse_change_limit("shared.replays>+8"), runs).failed);
  EXPECT_FALSE(check_limit(parse_change_limit("time_ms<-1%"), runs).failed);
  EXPECT_TRUE(check_limit(parse_change_limit("time_ms<-1%"), {runs[1], runs[0]}).failed);
}

TEST(ChangeLimit, AnUnknownNameFails) {
  const RunData run = run_of(test::sample_result());
  const CheckedLimit checked = check_limit(parse_change_limit("tmie_ms>+2%"), {run, run});
  EXPECT_TRUE(checked.failed);
  EXPECT_THAT(checked.actual, HasSubstr("tmie_ms"));
}

TEST(ChangeLimit, BrokenTextsAreUsageErrors) {
  for (const char* text : {"time_ms", ">+2%", "time_ms>2%", "time_ms>+x%", "time_ms>+", ""}) {
    EXPECT_THROW((void)parse_change_limit(text), InputError) << text;
  }
}

TEST(HardwareProfile, ErrorsAgainstMeasurements) {
  const std::vector<HardwareMeasurement> measured = read_hardware_profile(
      "hw.csv",
      "workload,metric,value,unit,source\ncopy,cycles,100,cycles,\"someone, 2009\"\nother,cycles,1,cycles,x\n");
  ASSERT_EQ(measured.size(), 2U);
  EXPECT_EQ(measured[0].source, "someone, 2009");
  const std::string text = hardware_compare_text(measured, {run_of(test::sample_result())});
  EXPECT_THAT(text, HasSubstr("100.0 %"));
  EXPECT_THAT(text, HasSubstr("1 compared, geometric mean error 100.0 %"));
  EXPECT_THAT(text, HasSubstr("1 measurements are about none"));
}

TEST(HardwareProfile, AllBrokenLinesAtOnce) {
  try {
    (void)read_hardware_profile("hw.csv", "workload,metric,value,unit,source\na,b\nc,d,x,e,f\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2U);
    EXPECT_EQ(error.diagnostics()[1].where.line, 3U);
  }
}

TEST(ModelCompare, TermsStandBesideTheirCounterparts) {
  Result result = test::sample_result();
  Prediction model{"zhang-owens", "Zhang-Owens", 1e-7, "shared memory", PredictionLevel::p0, {}, {}, {}, ""};
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

TEST(ModelCompare, DamagedFilesAreRefused) {
  EXPECT_THROW((void)read_predictions("x", "[]"), InputError);
}

}  // namespace
}  // namespace teslasim
