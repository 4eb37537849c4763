// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/plan_table.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

TEST(PlanCell, ANumberKeepsItsValueBesideTheDigitsThatAreShown) {
  const PlanCell third(1.0 / 3.0, 6);
  EXPECT_EQ("0.333333", third.text());
  EXPECT_EQ(1.0 / 3.0, third.number());
  EXPECT_EQ("190", PlanCell(190.0, 10).text());
}

TEST(PlanCell, TextIsNoNumberWhateverItReads) {
  EXPECT_EQ(std::nullopt, PlanCell("12").number());
  EXPECT_FALSE(PlanCell("12").empty());
}

TEST(PlanCell, NothingIsEmpty) {
  EXPECT_TRUE(PlanCell::of(std::nullopt, 6).empty());
  EXPECT_EQ(std::nullopt, PlanCell::of(std::nullopt, 6).number());
  EXPECT_EQ(2.5, PlanCell::of(2.5, 6).number());
}

TEST(PlanCell, ASettingIsANumberWhenItReadsAsOneAndStandsAsItWasWritten) {
  EXPECT_EQ("1e2", PlanCell::of_setting("1e2").text());
  EXPECT_EQ(100.0, PlanCell::of_setting("1e2").number());
  for (const char* const word : {"oldest", "true", "16kB", ""})
    EXPECT_EQ(std::nullopt, PlanCell::of_setting(word).number()) << word;
}

TEST(PlanTable, IsWrittenAsCsv) {
  PlanTable table({"input", "time_ms", "why"});
  table.add({PlanCell("a,b.asm"), PlanCell(2.5, 10), PlanCell("it said \"no\"")});
  table.add({PlanCell("c.asm")});
  EXPECT_EQ("input,time_ms,why\n\"a,b.asm\",2.5,\"it said \"\"no\"\"\"\nc.asm,,\n", table.csv());
}

TEST(PlanTable, ACellThatIsNotThereIsEmpty) {
  PlanTable table({"input"});
  table.add({PlanCell("a.asm")});
  EXPECT_EQ("a.asm", table.cell(0, "input").text());
  EXPECT_TRUE(table.cell(0, "output").empty());
  EXPECT_TRUE(table.cell(1, "input").empty());
  EXPECT_TRUE(table.has("input"));
  EXPECT_FALSE(table.has("output"));
}

}  // namespace
}  // namespace teslasim
