// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/expectation.h"

#include <gtest/gtest.h>

#include "tests/report/sample_result.h"

namespace teslasim {
namespace {

bool passes(const std::string& text, const Result& result = test::sample_result()) {
  validate_expectations({text});
  return evaluate_expectation(text, result).pass;
}

std::string refusal(const std::string& text) {
  try {
    validate_expectations({text});
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    return error.diagnostics().front().message + " / " + error.diagnostics().front().help;
  }
  return "accepted";
}

TEST(Expectation, names_alone_are_conditions) {
  EXPECT_TRUE(passes("outputs_ok"));
  EXPECT_FALSE(passes("!outputs_ok"));
  EXPECT_TRUE(passes("shared.replays"));
  EXPECT_FALSE(passes("constant.replays"));
}

TEST(Expectation, comparisons) {
  EXPECT_TRUE(passes("cycles == 200"));
  EXPECT_FALSE(passes("cycles != 200"));
  EXPECT_TRUE(passes("time_ms < 0.35"));
  EXPECT_TRUE(passes("time_ms<=0.000154321"));
  EXPECT_TRUE(passes("stall.replay.shared_bank_pct == 2"));
  EXPECT_TRUE(passes("stall.mem.global_pct >= 44"));
  EXPECT_FALSE(passes("stall.mem.global_pct > 44"));
}

TEST(Expectation, of_a_sample_are_about_all_blocks) {
  EXPECT_TRUE(passes("cycles == 1000", test::block_sample()));
  EXPECT_TRUE(passes("time.cycles == 200", test::block_sample()));
  EXPECT_TRUE(passes("sample.function_blocks == 8", test::block_sample()));
  EXPECT_TRUE(passes("sample.steady", test::block_sample()));
}

TEST(Expectation, paths_of_the_statistics) {
  EXPECT_TRUE(passes("issue_slots.mem.global == 88"));
  EXPECT_TRUE(passes("launches.0.shared.degree_hist.3 == 2"));
  EXPECT_TRUE(passes("launches.0.per_sm.1.issue_slots.empty.occupancy == 100"));
  EXPECT_TRUE(passes("host.seconds < 60"));
}

TEST(Expectation, counts_of_several_launches_are_summed_and_ratios_are_not) {
  Result result = test::sample_result();
  result.launches.push_back(result.launches[0]);
  EXPECT_TRUE(passes("cycles == 400", result));
  EXPECT_TRUE(passes("shared.replays == 8", result));
  EXPECT_TRUE(passes("launches.1.shared.replays == 4", result));
  EXPECT_FALSE(passes("global.efficiency == 1", result));
  EXPECT_EQ(evaluate_expectation("global.efficiency == 1", result).actual,
            "the run has several launches: write launches.0.global.efficiency");
}

TEST(Expectation, what_has_no_value_fails) {
  Result result = test::sample_result();
  result.launches[0].outputs->clear();
  EXPECT_FALSE(passes("outputs_ok", result));
  EXPECT_EQ(evaluate_expectation("outputs_ok", result).actual, "no buffer was checked");
  EXPECT_FALSE(passes("local.efficiency > 0", result));
}

TEST(Expectation, a_run_that_did_not_finish_meets_none) {
  Result result = test::sample_result();
  result.status = RunStatus::limit;
  for (const char* text : {"time_ms < 1", "!outputs_ok", "cycles == 200", "outputs_ok"})
    EXPECT_FALSE(passes(text, result));
  EXPECT_EQ(evaluate_expectation("cycles == 200", result).actual, "the run did not finish: limit");
}

TEST(Expectation, mistakes_are_found_before_the_run) {
  EXPECT_EQ(refusal("time_m < 1"), "--expect 'time_m < 1': unknown name 'time_m' / did you mean 'time_ms'?");
  EXPECT_NE(refusal("time_ms < fast").find("'fast' is not a number"), std::string::npos);
  EXPECT_NE(refusal("time_ms = 3").find("unknown comparison"), std::string::npos);
  for (const char* bound : {"nan", "inf", "-inf", "1e999", "", "0x1p", "1 ms"}) {
    EXPECT_NE(refusal("time_ms == " + std::string(bound)).find("is not a number"), std::string::npos) << bound;
    EXPECT_NE(refusal("!time_ms<" + std::string(bound)).find("is not a number"), std::string::npos) << bound;
  }
  EXPECT_NE(refusal("").find("there is no name"), std::string::npos);
  EXPECT_NE(refusal("< 3").find("there is no name"), std::string::npos);
  EXPECT_NE(refusal("stall.mem.globl_pct < 1").find("did you mean 'stall.mem.global_pct'?"), std::string::npos);
}

TEST(Expectation, the_report_lines_up) {
  const Result result = test::sample_result();
  EXPECT_EQ(
      expectation_report({evaluate_expectation("outputs_ok", result), evaluate_expectation("cycles < 100", result)}),
      "expect: outputs_ok     pass\n"
      "expect: cycles < 100   FAIL  (200)\n");
}

}  // namespace
}  // namespace teslasim
