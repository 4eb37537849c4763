// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/validation_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "sim/base/csv.h"
#include "sim/base/diagnostic.h"
#include "sim/validation/micro_kernel.h"
#include "sim/validation/sweeps.h"
#include "sim/validation/whole_kernel.h"

namespace teslasim {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

ValidatedRow row_of(const std::string& id, double published, double simulated) {
  PublishedRow row;
  row.id = id;
  row.experiment = "E2";
  row.machine = "c870";
  row.value = std::to_string(published);
  row.tolerance = "5%";
  row.confidence = "high";
  row.kind = "measured";
  row.read = "paper";
  return judge(row, {simulated, "", ""});
}

TEST(Document, ListsCountedRowsThatMissAndNoOthers) {
  const std::string text = validation_markdown({{row_of("HIT-1", 10.0, 10.0), row_of("MISS-1", 10.0, 12.0)}}, "pages");
  const std::string misses = text.substr(text.find("Counted rows that miss"));
  EXPECT_THAT(misses, HasSubstr("MISS-1"));
  EXPECT_THAT(misses, Not(HasSubstr("HIT-1")));
}

TEST(Document, HasOnePageForEachExperimentAndLinksToIt) {
  const ValidationResult result{{row_of("HIT-1", 10.0, 10.0), row_of("MISS-1", 10.0, 12.0)}};
  const std::string index = validation_markdown(result, "pages");
  EXPECT_THAT(index, HasSubstr("| [E2: Latency of dependent instructions](pages/e2.md) | 2 | 2 | 1 |"));
  EXPECT_THAT(index, Not(HasSubstr("| HIT-1 |"))) << "rows stand on the page of their experiment";
  std::size_t with_rows = 0;
  for (const ExperimentPage& page : experiment_pages(result, "index.md")) {
    EXPECT_THAT(index, HasSubstr("(pages/" + page.file_name + ")"));
    EXPECT_THAT(page.text, HasSubstr("(../index.md)"));
    EXPECT_THAT(experiment_page_names(), Contains(page.file_name));
    if (page.text.find("| HIT-1 |") == std::string::npos) continue;
    ++with_rows;
    EXPECT_EQ("e2.md", page.file_name);
    EXPECT_THAT(page.text, HasSubstr("# E2: Latency of dependent instructions\n"));
    EXPECT_THAT(page.text, HasSubstr("+20.0 %"));
  }
  EXPECT_EQ(1U, with_rows);
}

TEST(Document, ReplacesWhatStandsBetweenTheMarks) {
  const std::string begin(document_begin), end(document_end);
  const std::string text = with_validation("before\n" + begin + "\nold\n" + end + "\nafter\n", "new\n");
  EXPECT_EQ("before\n" + begin + "\nnew\n" + end + "\nafter\n", text);
  EXPECT_THROW((void)with_validation("no marks", "new"), InputError);
}

TEST(Document, CausesBelongToPublishedRows) {
  std::istringstream lines{std::string(micro_file("causes.csv")) + std::string(whole_file("causes.csv"))};
  std::string line;
  while (std::getline(lines, line)) {
    ASSERT_EQ(csv_fields(line).size(), 3U) << "'" << line << "'";
    const std::string id = csv_fields(line).at(0);
    const bool known = std::any_of(published_rows().begin(), published_rows().end(), [&](const PublishedRow& row) {
      return id.ends_with('*') ? row.id.starts_with(id.substr(0, id.size() - 1)) : row.id == id;
    });
    EXPECT_TRUE(known) << id;
    EXPECT_FALSE(cause_of(id, "any").empty() && csv_fields(line).at(1) == "*") << id;
  }
}

TEST(Sweeps, HaveNamesOfTheirOwnAndPublishedPointsThatExist) {
  std::set<std::string_view> names;
  for (const Sweep& sweep : sweeps()) {
    EXPECT_TRUE(names.insert(sweep.name).second) << sweep.name;
    for (const PublishedPoint& point : sweep.published) {
      EXPECT_TRUE(std::any_of(published_rows().begin(), published_rows().end(), [&](const PublishedRow& row) {
        return row.id == point.id && row.number();
      })) << point.id;
    }
  }
}

TEST(Sweeps, PutTheirValueIntoTheMeasurement) {
  const Sweep sweep{
      "name", "E3", "title", "x", "y", false, {1, 8}, {{"t10p", "t10p", "latency step=independent_{x} per={x}"}}, {}};
  const std::vector<Plot> plots = measured_plots({sweep}, {});
  ASSERT_EQ(1U, plots.size());
  ASSERT_EQ(2U, plots[0].curves.at(0).points.size());
  EXPECT_GT(plots[0].curves[0].points[0].second, plots[0].curves[0].points[1].second)
      << "eight chains hide each other's latency";
}

TEST(SvgPlot, DrawsEveryPointInsideThePicture) {
  const Plot plot{"a < b", "x", "y", true, {{"line", {{1, 1}, {1024, 5}}, false}, {"published", {{32, 3}}, true}}};
  const std::string text = svg_plot(plot);
  EXPECT_THAT(text, HasSubstr("a &lt; b"));
  EXPECT_THAT(text, HasSubstr("M64.0 "));   // the first point at the left end
  EXPECT_THAT(text, HasSubstr("L530.0 "));  // the last one at the right end
  EXPECT_THAT(text, HasSubstr("M297.0 "));  // log2(32) is half of log2(1024)
  EXPECT_EQ(text, svg_plot(plot));
  EXPECT_THAT(svg_plot({"empty", "x", "y", false, {}}), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace teslasim
