// SPDX-License-Identifier: Apache-2.0
// Datasheet of `compare --hw`: units, mistakes with their places, runs that have no error.
#include "sim/report/compare/hardware_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"
#include "tests/report/sample_result.h"
#include "tests/report/sample_runs.h"

namespace teslasim {
namespace {

using test::run_of;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string heading = "workload,metric,value,unit,source\n";

double value_of(const std::string& row) {
  return read_hardware_profile("hw.csv", heading + row).at(0).value;
}

/// All messages, with places.
std::string refusal(const std::string& text) {
  try {
    (void)read_hardware_profile("hw.csv", text);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::input);
    return render(error.diagnostics());
  }
  return "accepted";
}

TEST(HardwareProfile, ErrorsAgainstMeasurements) {
  const std::vector<HardwareMeasurement> measured =
      read_hardware_profile("hw.csv", heading + "copy,cycles,100,cycles,\"someone, 2009\"\nother,cycles,1,cycles,x\n");
  ASSERT_EQ(measured.size(), 2U);
  EXPECT_EQ(measured[0].source, "someone, 2009");
  const std::string text = hardware_compare_text(measured, {run_of(test::sample_result())});
  EXPECT_THAT(text, HasSubstr("100.0 %"));
  EXPECT_THAT(text, HasSubstr("1 compared, geometric mean error 100.0 %"));
  EXPECT_THAT(text, HasSubstr("1 measurements are about none"));
}

TEST(HardwareProfile, TimesAreConverted) {
  EXPECT_DOUBLE_EQ(value_of("copy,time_ms,20,ms,me"), 20.0);
  EXPECT_DOUBLE_EQ(value_of("copy,time_ms,20,us,me"), 0.02);
  EXPECT_DOUBLE_EQ(value_of("copy,time_ms,20,\u00b5s,me"), 0.02);
  EXPECT_DOUBLE_EQ(value_of("copy,time_ms,20,ns,me"), 20e-6);
  EXPECT_DOUBLE_EQ(value_of("copy,time.end_to_end_ms,20,s,me"), 20e3);
}

TEST(HardwareProfile, OtherNumbersHaveTheUnitOfTheStatistic) {
  EXPECT_DOUBLE_EQ(value_of("copy,cycles,7,cycles,me"), 7.0);
  EXPECT_DOUBLE_EQ(value_of("copy,cycles,7,SP cycles,me"), 7.0);
  EXPECT_DOUBLE_EQ(value_of("copy,cycles,7,shader cycles,me"), 7.0) << "the older word";
  EXPECT_DOUBLE_EQ(value_of("copy,global.bytes,7,bytes,me"), 7.0);
  EXPECT_DOUBLE_EQ(value_of("copy,global.bytes,7,,me"), 7.0);
  EXPECT_DOUBLE_EQ(value_of("copy,instructions.warp,7,count,me"), 7.0);
  EXPECT_DOUBLE_EQ(value_of("copy,stall.fetch_pct,7,%,me"), 7.0);
  for (const char* row : {"copy,cycles,7,ms,me", "copy,cycles,7,,me", "copy,time_ms,7,,me", "copy,time_ms,7,cycles,me",
                          "copy,time_ms,7,MS,me", "copy,global.bytes,7,KB,me", "copy,stall.fetch_pct,7,count,me",
                          "copy,time_ms,7,parsec,me"}) {
    EXPECT_THAT(refusal(heading + row), HasSubstr("is no unit of")) << row;
  }
}

TEST(HardwareProfile, ValuesAreNumbersAboveZero) {
  for (const char* value : {"nan", "inf", "-inf", "-1", "0", "", "ten", "1e999", "1 ms", "1.2.3"}) {
    EXPECT_THAT(refusal(heading + "copy,time_ms," + value + ",ms,me"), HasSubstr("is not a number above 0")) << value;
  }
  EXPECT_THAT(refusal(heading + "copy,time_ms,1e308,s,me"), HasSubstr("is out of range"));
  EXPECT_THAT(refusal(heading + "copy,time_ms,1e-320,ns,me"), HasSubstr("is out of range"));
}

TEST(HardwareProfile, ACounterMayHaveCountedNothing) {
  EXPECT_DOUBLE_EQ(value_of("copy,shared.replays,0,count,me"), 0.0);
  for (const char* value : {"nan", "-1", "none"}) {
    EXPECT_THAT(refusal(heading + "copy,shared.replays," + value + ",count,me"), HasSubstr("is no number, or below 0"));
  }
  const std::vector<HardwareMeasurement> measured =
      read_hardware_profile("hw.csv", "copy,instructions.warp,0,count,me\n");
  EXPECT_THAT(hardware_compare_text(measured, {run_of(test::sample_result())}), HasSubstr("0 compared"))
      << "of 0, any number is infinitely many";
}

TEST(HardwareProfile, AllMistakesAtOnceWithTheirPlaces) {
  const std::string told = refusal(heading + "copy,tmie_ms,nan,us,me\n# a comment\na,b\n,time_ms,1,lightyear,me\n");
  EXPECT_THAT(told, HasSubstr("hw.csv:2:6\n   |\n  2| copy,tmie_ms,nan,us,me\n   |      ^^^^^^^\n"));
  EXPECT_THAT(told, HasSubstr("did you mean 'time_ms'?"));
  EXPECT_THAT(told, HasSubstr("hw.csv:2:14\n"));
  EXPECT_THAT(told, HasSubstr("a line has 5 cells, got 2\n  --> hw.csv:4:1\n"));
  EXPECT_THAT(told, HasSubstr("the workload has no name\n  --> hw.csv:5:1\n"));
  EXPECT_THAT(told, HasSubstr("hw.csv:5:12\n"));
}

TEST(HardwareProfile, TheHeadingSaysWhichColumnsThereAre) {
  EXPECT_THAT(refusal("workload,value,metric,unit,source\ncopy,1,time_ms,ms,me\n"),
              HasSubstr("column 2 is 'metric', got 'value'"));
  EXPECT_THAT(refusal(heading), HasSubstr("the file has no measurements"));
  EXPECT_THAT(refusal(""), HasSubstr("the file has no measurements"));
  const std::string row = "copy,time_ms,1,ms,me\r\n";
  EXPECT_EQ(read_hardware_profile("hw.csv", "# first a comment\n" + heading + row).size(), 1U);
  EXPECT_EQ(read_hardware_profile("hw.csv", "\xef\xbb\xbf" + heading + row).size(), 1U);
  EXPECT_EQ(read_hardware_profile("hw.csv", row).size(), 1U);
}

TEST(HardwareProfile, QuotesAndBlanks) {
  const std::vector<HardwareMeasurement> rows =
      read_hardware_profile("hw.csv", " copy , \"time_ms\" , 1 , ms , \"a \"\"b\"\", c\" \n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].workload, "copy");
  EXPECT_EQ(rows[0].source, "a \"b\", c");
  EXPECT_THAT(refusal("copy,time_ms,1,ms,\"me\n"), HasSubstr("hw.csv:1:19\n"));
  EXPECT_THAT(refusal("copy,time_ms,1,ms,\x1b[2J\n"), HasSubstr("a character that no text has"));
}

TEST(HardwareProfile, FilesOfSomethingElseAreNotReadToTheEnd) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "x\n";
  EXPECT_THAT(refusal(text),
              HasSubstr("hw.csv:20:1\n   |\n 20| x\n   | ^\n   = note: the lines behind this one were not read"));
}

TEST(HardwareProfile, WorkloadsAreWholeWords) {
  const std::vector<HardwareMeasurement> measured = read_hardware_profile("hw.csv", "reduce1,cycles,100,cycles,me\n");
  const auto text = [&](const std::string& label) {
    return hardware_compare_text(measured, {run_of(test::sample_result(), label)});
  };
  EXPECT_THAT(text("001-reduce1-gtx280"), HasSubstr("1 compared"));
  EXPECT_THAT(text("001-reduce16-gtx280"), HasSubstr("0 compared"));
  EXPECT_THAT(text("001-my_reduce1-gtx280"), HasSubstr("0 compared"));
}

TEST(HardwareProfile, RunsThatAreNotSoundHaveNoError) {
  const std::vector<HardwareMeasurement> measured = read_hardware_profile("hw.csv", "copy,cycles,100,cycles,me\n");
  const std::string text = hardware_compare_text(measured, {run_of(test::cut_off())});
  EXPECT_THAT(text, HasSubstr("did not finish (limit)"));
  EXPECT_THAT(text, HasSubstr("0 compared"));
  EXPECT_THAT(text, Not(HasSubstr("100.0 %")));
}

}  // namespace
}  // namespace teslasim
