// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"
#include "sim/validation/measure.h"
#include "sim/validation/micro_kernel.h"
#include "tests/support/volume.h"

namespace teslasim {
namespace {

PublishedRow row_of(const std::string& value, const std::string& tolerance) {
  PublishedRow row;
  row.id = "A-1";
  row.value = value;
  row.tolerance = tolerance;
  row.confidence = "high";
  row.kind = "measured";
  row.read = "paper";
  return row;
}

RowVerdict verdict(const std::string& value, const std::string& tolerance, double simulated) {
  return judge(row_of(value, tolerance), {simulated, "", ""}).verdict;
}

TEST(Judge, RelativeTolerance) {
  EXPECT_EQ(RowVerdict::within, verdict("20", "5%", 21.0));
  EXPECT_EQ(RowVerdict::within, verdict("20", "5%", 19.0));
  EXPECT_EQ(RowVerdict::outside, verdict("20", "5%", 21.1));
}

TEST(Judge, AbsoluteToleranceInTheUnitOfTheRow) {
  EXPECT_EQ(RowVerdict::within, verdict("24", "2", 22.0));
  EXPECT_EQ(RowVerdict::outside, verdict("24", "2", 21.0));
}

TEST(Judge, ExactMeansExact) {
  EXPECT_EQ(RowVerdict::within, verdict("16", "0", 16.0));
  EXPECT_EQ(RowVerdict::outside, verdict("16", "0", 15.99));
  EXPECT_EQ(0.0, *judge(row_of("0", "0"), {0.0, "", ""}).error_percent);
}

TEST(Judge, BoundsAreOpenOnOneSide) {
  EXPECT_EQ(RowVerdict::within, verdict("24", ">2", 100.0));
  EXPECT_EQ(RowVerdict::within, verdict("24", ">2", 22.0));
  EXPECT_EQ(RowVerdict::outside, verdict("24", ">2", 21.0));
  EXPECT_EQ(RowVerdict::within, verdict("10", "<0", 3.0));
  EXPECT_EQ(RowVerdict::outside, verdict("10", "<0", 11.0));
}

TEST(Judge, ErrorIsRelativeToThePublishedValue) {
  EXPECT_DOUBLE_EQ(-25.0, *judge(row_of("4", "5%"), {3.0, "", ""}).error_percent);
  EXPECT_DOUBLE_EQ(0.0, *judge(row_of("24", ">2"), {100.0, "", ""}).error_percent) << "a bound that is kept";
}

TEST(TolerancePercent, IsRelativeToThePublishedValue) {
  EXPECT_NEAR(5.0, tolerance_percent(row_of("20", "5%")).value(), 1e-6);
  EXPECT_NEAR(10.0, tolerance_percent(row_of("20", "2")).value(), 1e-6);
  EXPECT_NEAR(10.0, tolerance_percent(row_of("20", ">2")).value(), 1e-6) << "of a bound the side that it has";
  EXPECT_NEAR(0.0, tolerance_percent(row_of("20", "0")).value(), 1e-6);
  EXPECT_FALSE(tolerance_percent(row_of("waves", "0")));
  EXPECT_FALSE(tolerance_percent(row_of("0", "1")));
}

TEST(Judge, WordsAreEqualOrNot) {
  EXPECT_EQ(RowVerdict::within, judge(row_of("waves", "0"), {{}, "waves", ""}).verdict);
  EXPECT_EQ(RowVerdict::outside, judge(row_of("waves", "0"), {{}, "per block", ""}).verdict);
}

TEST(Judge, WhatWasNotSimulatedIsShownAndIsNotWithin) {
  ValidationResult result;
  result.rows = {judge(row_of("1", "0"), {{}, "", "no such unit"}), judge(row_of("1", "0"), {1.0, "", ""}),
                 judge(row_of("2", "5%"), {3.0, "", ""})};
  EXPECT_EQ(RowVerdict::not_simulated, result.rows[0].verdict);
  const ValidationSummary summary = result.summary();
  EXPECT_EQ(3U, summary.counted);
  EXPECT_EQ(1U, summary.within);
  EXPECT_DOUBLE_EQ(25.0, summary.mean_abs_error_percent) << "of the two that have an error";
  EXPECT_DOUBLE_EQ(50.0, summary.max_abs_error_percent);
}

TEST(MicroKernel, ParametersReplaceValuesAndOneKernelIsKept) {
  const std::string text = micro_kernel_text({"alu", "latency", "mad_2", {{"COUNT", 7}}});
  EXPECT_THAT(text, ::testing::HasSubstr("\n.equ COUNT, 7\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\nlatency mad_2\n"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("\nlatency mad_3\n")));
  const auto module = assemble({"alu", "latency", "mad_2", {{"COUNT", 7}}});
  ASSERT_EQ(1U, module->kernels.size());
  EXPECT_EQ("latency_mad_2", module->kernels.front().name);
  EXPECT_EQ(assemble({"alu", "latency", "mad_2", {{"COUNT", 8}}})->kernels.front().code.size(),
            module->kernels.front().code.size() + 1);
}

TEST(MicroKernel, WhatDoesNotExistIsAnError) {
  EXPECT_THROW((void)assemble({"none", "latency", "mad_2", {}}), InternalError);
  EXPECT_THROW((void)assemble({"alu", "latency", "mad_9", {}}), InternalError);
  EXPECT_THROW((void)assemble({"alu", "latency", "mad_2", {{"COUNTS", 1}}}), InternalError);
}

TEST(MeasureArguments, AreAWordAndPairs) {
  const MeasureArguments arguments("latency step=mad_2 warps=6 set:sm.sp_lanes=16");
  EXPECT_EQ("latency", arguments.measure());
  EXPECT_EQ("mad_2", arguments.text("step"));
  EXPECT_EQ(6, arguments.number("warps", 1));
  EXPECT_THAT(arguments.sets(), ::testing::ElementsAre("sm.sp_lanes=16"));
  EXPECT_THROW(MeasureArguments("latency mad_2"), InternalError);
}

MeasureOutcome measured(const std::string& machine, const std::string& measure) {
  return run_measurements({{machine, measure}}, {}).front();
}

TEST(Measurements, MeasureWhatTheMachineIsConfiguredFor) {
  EXPECT_EQ(20.0, measured("t10p", "latency step=mad_1 set:sm.latency_cycles.alu=20").number);
  EXPECT_EQ(40.0, measured("t10p", "latency step=mad_1 set:sm.latency_cycles.alu=40").number);
  EXPECT_EQ(2.0, measured("gtx280", "shared_degree file=shared step=shared_free STRIDE=2").number);
  EXPECT_EQ(4.0,
            measured("gtx280", "shared_degree file=shared step=shared_free STRIDE=2 set:sm.shared.banks=8").number);
}

TEST(Measurements, ReadsAloneOffByAWordCostHalfOfWhatBothCost) {
  const auto copied = [](const std::string& words) {
    return measured("8800gtx", "bandwidth blocks=120 " + words).number.value_or(0.0);
  };
  const double reads = copied("read_offset=1"), both = copied("offset=1");
  EXPECT_GT(reads, 1.6 * both) << "16 transactions instead of one, and those twice";
  EXPECT_LT(reads, 2.2 * both);
  EXPECT_GT(copied("offset=0"), 3.0 * reads);
}

TEST(Measurements, MixbenchGoesFromTheBandwidthOfReadsToThePeakOfMultiplyAdds) {
  if (test::under_sanitizers) GTEST_SKIP() << "takes long, and runs what shorter ones do";
  const double reads = measured("gtx280", "memory_bandwidth of=reads").number.value_or(0.0);
  EXPECT_NEAR(reads, measured("gtx280", "mixbench mads=1 as=gbs").number.value_or(0.0), 0.1 * reads);
  constexpr double peak = 30 * 8 * 2 * 1.296;  // SMs, lanes, operations, GHz
  const double few = measured("gtx280", "mixbench mads=8").number.value_or(0.0),
               most = measured("gtx280", "mixbench mads=128").number.value_or(0.0);
  EXPECT_LT(few, 0.8 * peak);
  EXPECT_GT(most, 0.93 * peak);
  EXPECT_LT(most, peak);
}

TEST(Measurements, CachebenchIsBoundByTheTextureUnitsThenByWhatFillsTheirCaches) {
  if (test::under_sanitizers) GTEST_SKIP() << "takes long, and runs what shorter ones do";
  constexpr double texels = 10 * 8 * 0.602 * 4;  // TPCs, texels per cycle, GHz, bytes
  const double first = measured("gtx280", "cachebench kb=2").number.value_or(0.0),
               second = measured("gtx280", "cachebench kb=128").number.value_or(0.0),
               memory = measured("gtx280", "cachebench kb=4096").number.value_or(0.0);
  EXPECT_NEAR(texels, first, 0.01 * texels);
  EXPECT_LT(second, 0.9 * first);
  EXPECT_LT(memory, 0.95 * second);
  EXPECT_LT(memory, 141.7) << "the peak of the DRAM";
}

TEST(Measurements, SayWhyThereIsNoValue) {
  EXPECT_THAT(measured("t10p", "nonsense").why, ::testing::HasSubstr("nonsense"));
  EXPECT_THAT(measured("nowhere", "latency step=mad_1").why, ::testing::HasSubstr("nowhere"));
  EXPECT_THAT(measured("c870", "latency file=double step=fma_1").why, ::testing::Not(::testing::IsEmpty()));
}

TEST(Measurements, AreTheSameForAnyNumberOfProcesses) {
  const std::vector<PublishedRow> rows = selected_rows(published_rows(), "t10p", {"E3", "E5"});
  ASSERT_GT(rows.size(), 5U);
  const ValidationResult one = validate(rows, {1, {}}), three = validate(rows, {3, {}});
  EXPECT_EQ(one.digest(), three.digest());
  ASSERT_EQ(rows.size(), one.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].id, one.rows[i].published.id);
}

}  // namespace
}  // namespace teslasim
