// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/plan_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace teslasim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PlanCell text(const char* words) {
  return PlanCell(words);
}

PlanCell number(double value) {
  return {value, 10};
}

const std::vector<std::string> columns{"point", "input",  "sm.scheduler", "sm.shared.banks", "status",
                                       "exit",  "reason", "time_ms",      "shared.replays"};

PlanTable points() {
  const auto banks = [](const char* value) { return PlanCell::of_setting(value); };
  const PlanCell none;
  PlanTable table(columns);
  table.add({number(1), text("a.asm"), text("gto"), banks("8"), text("ok"), number(0), none, number(3.5), number(100)});
  table.add({number(2), text("a.asm"), text("gto"), banks("16"), text("ok"), number(0), none, number(2.5), number(50)});
  table.add({number(3), text("a.asm"), text("gto"), banks("32"), text("failed"), number(6),
             text("stuck at cycle 88, barrier 0")});
  table.add(
      {number(4), text("a.asm"), text("oldest"), banks("8"), text("ok"), number(0), none, number(5), number(100)});
  table.add({number(5), text("b.asm"), text("oldest"), banks("16"), text("ok"), number(0), none, number(1), number(0)});
  return table;
}

SweepPage sweep(const std::string& mode = "grid") {
  return {{"banks", "gtx280", {"sm.scheduler", "sm.shared.banks"}, points()}, mode, {"time_ms", "shared.replays"}};
}

TEST(SweepPage, DrawsAlongTheAxisWithTheMostNumbersAndNamesTheOthers) {
  const std::string page = sweep_page(sweep());
  EXPECT_THAT(page, HasSubstr("Points by sm.shared.banks"));
  EXPECT_THAT(page, HasSubstr("<tr><td>a.asm<td class=n>16<td>sm.scheduler=gto<td class=n>2.5<td class=n>50"));
  EXPECT_THAT(page, HasSubstr("\"columns\":[\"time_ms\",\"shared.replays\"]"));
  EXPECT_THAT(page, HasSubstr("\"type\":\"line\""));
}

TEST(SweepPage, PointsOfAListStandBesideEachOther) {
  const std::string page = sweep_page(sweep("list"));
  EXPECT_THAT(page, HasSubstr("Points by settings"));
  EXPECT_THAT(page, HasSubstr("<tr><td>a.asm<td>sm.scheduler=gto sm.shared.banks=16<td><td class=n>2.5"));
  EXPECT_THAT(page, HasSubstr("{\"type\":\"point\""));
}

TEST(SweepPage, SaysWhichPointsAreLowestAndHighestAndWhichFailed) {
  const std::string page = sweep_page(sweep());
  EXPECT_THAT(page, HasSubstr("<tr><td>a.asm<td class=n>2.5<td>sm.scheduler=gto sm.shared.banks=16<td class=n>5<td>"
                              "sm.scheduler=oldest sm.shared.banks=8<td class=n>2\n"));
  EXPECT_THAT(page, HasSubstr("1 failed"));
  EXPECT_THAT(page, HasSubstr("sm.scheduler=gto sm.shared.banks=32<td>stuck at cycle 88, barrier 0"));
}

TEST(SweepPage, TextOfThePlanCannotEndAnElement) {
  SweepPage page = sweep();
  page.plan.name = "<b>";
  page.plan.axes = {"</script><script>alert(1)"};
  const std::string text = sweep_page(page);
  EXPECT_THAT(text, HasSubstr("<h1>sweep &lt;b&gt;</h1>"));
  EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(text, HasSubstr("\\u003c/script>\\u003cscript>alert(1)"));
}

TEST(SweepPage, IsThereBeforeAnyPointHasFinished) {
  SweepPage page = sweep();
  page.plan.table = PlanTable(columns);
  EXPECT_THAT(sweep_page(page), HasSubstr("0 points"));
}

TEST(ExplorationPage, TheFrontIsOfSimulatedTimesWhereThereAreSome) {
  const std::vector<std::string> head{"gpu.tpcs",           "area_mm2",        "area_sms_mm2",
                                      "area_registers_mm2", "area_shared_mm2", "predicted_ms",
                                      "simulated_ms",       "pareto",          "why"};
  const std::vector<PlanCell> small{PlanCell::of_setting("2"),
                                    number(20),
                                    number(12),
                                    number(6),
                                    number(2),
                                    number(1.5),
                                    number(2.5),
                                    text("yes"),
                                    {}};
  PlanTable table(head);
  table.add(small);
  table.add({PlanCell::of_setting("3"), number(30), number(18), number(9), number(3), number(1), {}, text("no")});
  table.add({PlanCell::of_setting("4"), {}, {}, {}, {}, {}, {}, text("no"), text("impossible")});
  const std::string page = exploration_page({{"areas", "gtx280", {"gpu.tpcs"}, table}, "zhang-owens", 30.0});
  EXPECT_THAT(page, HasSubstr("<td>gpu.tpcs=2<td class=n>20<td class=n>1.5<td>predicted<td>no"));
  EXPECT_THAT(page, HasSubstr("<td>gpu.tpcs=2<td class=n>20<td class=n>2.5<td>simulated<td>yes"));
  EXPECT_THAT(page, HasSubstr("<td>gpu.tpcs=3: 1 ms predicted<td>registers<td class=n>9<td class=n>1"));
  EXPECT_THAT(page, HasSubstr("<td>gpu.tpcs=4<td>impossible"));
  PlanTable predicted(head);
  predicted.add({small[0], small[1], small[2], small[3], small[4], small[5], {}, text("yes")});
  EXPECT_THAT(exploration_page({{"areas", "gtx280", {"gpu.tpcs"}, predicted}, "zhang-owens", 30.0}),
              HasSubstr("<td>predicted<td>yes"));
}

TEST(DesignsPage, HasEveryNumberOfProcessingElements) {
  PlanTable table({"pes", "gops"});
  table.add({number(128), number(192)});
  table.add({number(160), number(240)});
  EXPECT_THAT(designs_page({"ye", "equal-area", {}, table}), HasSubstr("<tr><td class=n>160<td class=n>240"));
}

/// What is no number stays text, so an input of that name is not set like one.
TEST(SweepPage, TextThatReadsAsANumberIsText) {
  SweepPage page = sweep("list");
  page.plan.table.add(
      {number(6), text("12"), text("gto"), PlanCell::of_setting("4"), text("failed"), number(6), text("7")});
  EXPECT_THAT(sweep_page(page), HasSubstr("<tr><td>12<td>sm.scheduler=gto sm.shared.banks=4<td>7"));
}

}  // namespace
}  // namespace teslasim
