// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/plan_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace teslasim {
namespace {

using testing::HasSubstr;
using testing::Not;

const char* const points =
    "point,input,sm.scheduler,sm.shared.banks,status,exit,reason,time_ms,shared.replays\n"
    "1,a.asm,gto,8,ok,0,,3.5,100\n"
    "2,a.asm,gto,16,ok,0,,2.5,50\n"
    "3,a.asm,gto,32,failed,6,\"stuck at cycle 88, barrier 0\",,\n"
    "4,a.asm,oldest,8,ok,0,,5,100\n"
    "5,b.asm,oldest,16,ok,0,,1,0\n";

SweepPage sweep(const std::string& mode = "grid") {
  return {{"banks", "gtx280", {"sm.scheduler", "sm.shared.banks"}, CsvTable::parse(points)},
          mode,
          {"time_ms", "shared.replays"}};
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
  page.plan.table = CsvTable(
      {"point", "input", "sm.scheduler", "sm.shared.banks", "status", "exit", "reason", "time_ms", "shared.replays"});
  EXPECT_THAT(sweep_page(page), HasSubstr("0 points"));
}

TEST(ExplorationPage, TheFrontIsOfSimulatedTimesWhereThereAreSome) {
  const std::string head =
      "gpu.tpcs,area_mm2,area_sms_mm2,area_registers_mm2,area_shared_mm2,predicted_ms,simulated_ms,pareto,why\n";
  const std::string simulated = "2,20,12,6,2,1.5,2.5,yes,\n3,30,18,9,3,1.0,,no,\n4,,,,,,,no,impossible\n";
  const std::string page =
      exploration_page({{"areas", "gtx280", {"gpu.tpcs"}, CsvTable::parse(head + simulated)}, "zhang-owens", 30.0});
  EXPECT_THAT(page, HasSubstr("<td>gpu.tpcs=2<td class=n>20<td class=n>1.5<td>predicted<td>no"));
  EXPECT_THAT(page, HasSubstr("<td>gpu.tpcs=2<td class=n>20<td class=n>2.5<td>simulated<td>yes"));
  EXPECT_THAT(page, HasSubstr("<td>gpu.tpcs=3: 1.0 ms predicted<td>registers<td class=n>9<td class=n>1"));
  EXPECT_THAT(page, HasSubstr("<td>gpu.tpcs=4<td>impossible"));
  const std::string predicted = "2,20,12,6,2,1.5,,yes,\n";
  EXPECT_THAT(
      exploration_page({{"areas", "gtx280", {"gpu.tpcs"}, CsvTable::parse(head + predicted)}, "zhang-owens", 30.0}),
      HasSubstr("<td>predicted<td>yes"));
}

TEST(DesignsPage, HasEveryNumberOfProcessingElements) {
  const std::string page = designs_page({"ye", "equal-area", {}, CsvTable::parse("pes,gops\n128,192\n160,240\n")});
  EXPECT_THAT(page, HasSubstr("<tr><td class=n>160<td class=n>240"));
}

}  // namespace
}  // namespace teslasim
