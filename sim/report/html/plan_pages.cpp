// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/plan_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "sim/base/json_text.h"
#include "sim/report/html/html.h"
#include "sim/report/html/page.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;

/// "sm.shared.banks=8 sm.registers=4096": those of `axes` that the row sets.
std::string settings_of(const PlanTable& table, std::size_t row, const std::vector<std::string>& axes,
                        const std::string& without = "") {
  std::string text;
  for (const std::string& axis : axes) {
    const PlanCell& value = table.cell(row, axis);
    if (axis != without && !value.empty()) text += (text.empty() ? "" : " ") + axis + "=" + value.text();
  }
  return text;
}

HtmlCell cell_of(const PlanTable& table, std::size_t row, std::string_view column) {
  const PlanCell& cell = table.cell(row, column);
  return {cell.text(), cell.number() ? CellKind::number : CellKind::text};
}

bool is_ok(const PlanTable& table, std::size_t row) {
  return table.cell(row, "status").text() == "ok";
}

HtmlTable all_of(const PlanTable& table) {
  HtmlTable all{table.columns(), {}};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<HtmlCell>& cells = all.rows.emplace_back();
    for (const std::string& column : table.columns()) cells.push_back(cell_of(table, row, column));
  }
  return all;
}

std::string badge(const std::string& text, bool bad = false) {
  return fmt::format("<span class=\"badge{}\">{}</span>", bad ? " bad" : "", html(text));
}

/// The axis along which curves are drawn: that with the most values, numbers before words; "" in a list of points.
std::string curve_axis(const SweepPage& page, const PlanTable& table) {
  if (page.mode == "list") return "";
  std::string best;
  std::pair<bool, std::size_t> most{false, 0};
  for (const std::string& axis : page.plan.axes) {
    std::set<std::string> values;
    bool numbers = true;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      values.insert(table.cell(row, axis).text());
      numbers = numbers && table.cell(row, axis).number();
    }
    const std::pair<bool, std::size_t> here{numbers, values.size()};
    if (!best.empty() && here <= most) continue;
    best = axis;
    most = here;
  }
  return best;
}

std::string curves(const SweepPage& page, const PlanTable& table, const std::string& axis) {
  HtmlTable data{{"input", "x", "others"}, {}};
  data.head.insert(data.head.end(), page.columns.begin(), page.columns.end());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!is_ok(table, row)) continue;  // the time of a part, or of something wrong
    const std::string others = settings_of(table, row, page.plan.axes, axis);
    std::vector<HtmlCell>& cells = data.rows.emplace_back();
    cells.push_back(cell_of(table, row, "input"));
    cells.push_back(axis.empty() ? HtmlCell(others, CellKind::text) : cell_of(table, row, axis));
    cells.emplace_back(axis.empty() ? std::string() : others, CellKind::text);
    for (const std::string& column : page.columns) cells.push_back(cell_of(table, row, column));
  }
  return figure_of({"sweep", "Points by " + (axis.empty() ? std::string("settings") : axis),
                    "Choose what is shown below the chart; axes begin where the values do.", std::move(data)});
}

/// The points of each input with the lowest and the highest value of the first statistic.
HtmlTable extremes(const SweepPage& page, const PlanTable& table) {
  const std::string& column = page.columns.front();
  std::map<std::string, std::pair<std::size_t, std::size_t>> found;
  const auto number = [&](std::size_t row) { return table.cell(row, column).number(); };
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::optional<double> value = number(row);
    if (!value || !is_ok(table, row)) continue;
    const auto [entry, first] = found.try_emplace(table.cell(row, "input").text(), row, row);
    if (*value < *number(entry->second.first)) entry->second.first = row;
    if (*value > *number(entry->second.second)) entry->second.second = row;
  }
  HtmlTable rows{{"input", "lowest " + column, "settings", "highest " + column, "settings", "ratio"}, {}};
  for (const auto& [input, pair] : found) {
    const auto [low, high] = pair;
    const double least = *number(low), most = *number(high);
    rows.rows.push_back({HtmlCell(input, CellKind::text), cell_of(table, low, column),
                         settings_of(table, low, page.plan.axes), cell_of(table, high, column),
                         settings_of(table, high, page.plan.axes), least > 0 ? number_text(most / least, 2) : ""});
  }
  return rows;
}

/// Rows with something in `column`, which says why.
HtmlTable with_reason(const PlanTable& table, const std::vector<std::string>& axes, const std::string& column) {
  HtmlTable rows{{"settings", "reason"}, {}};
  const bool inputs = table.has("input");
  if (inputs) rows.head.insert(rows.head.begin(), "input");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.cell(row, column).empty()) continue;
    std::vector<HtmlCell>& cells = rows.rows.emplace_back();
    if (inputs) cells.push_back(cell_of(table, row, "input"));
    cells.push_back(settings_of(table, row, axes));
    cells.push_back(cell_of(table, row, column));
  }
  return rows;
}

/// Area against time. The front is of the simulated times when there are some, else of the predicted ones.
std::string front(const ExplorationPage& page, const PlanTable& table) {
  HtmlTable data{{"design", "area_mm2", "ms", "time", "front"}, {}};
  bool simulated = false;
  for (std::size_t row = 0; row < table.rows(); ++row)
    simulated = simulated || !table.cell(row, "simulated_ms").empty();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const std::string kind : {"predicted", "simulated"}) {
      if (table.cell(row, kind + "_ms").empty()) continue;
      const bool counts = (kind == "simulated") == simulated;
      data.rows.push_back({settings_of(table, row, page.plan.axes), cell_of(table, row, "area_mm2"),
                           cell_of(table, row, kind + "_ms"), kind,
                           counts && table.cell(row, "pareto").text() == "yes" ? "yes" : "no"});
    }
  }
  return figure_of({"front", "Area against time",
                    "The line joins the designs than which no other is both smaller and faster.", std::move(data)});
}

/// What the area of each design went to, in the order of the table: the fastest by prediction first.
std::string spent(const ExplorationPage& page, const PlanTable& table) {
  constexpr std::size_t most = 40;
  HtmlTable data{{"design", "part", "mm2", "order"}, {}};
  for (std::size_t row = 0; row < std::min(table.rows(), most); ++row) {
    if (table.cell(row, "area_mm2").empty()) continue;
    const bool simulated = !table.cell(row, "simulated_ms").empty();
    const std::string& ms = table.cell(row, simulated ? "simulated_ms" : "predicted_ms").text();
    const std::string design = settings_of(table, row, page.plan.axes) + ": " +
                               (ms.empty() ? "no time" : ms + " ms" + (simulated ? "" : " predicted"));
    unsigned order = 0;
    for (const char* part : {"sms", "registers", "shared"})
      data.rows.push_back(
          {design, part, cell_of(table, row, fmt::format("area_{}_mm2", part)), std::to_string(order++)});
  }
  return figure_of({"areas", "What the area bought",
                    fmt::format("One bar per design, the first {}; times are geometric means over the inputs.", most),
                    std::move(data)});
}

std::string lists(const Json& json) {
  return json_text(json);
}

}  // namespace

std::string sweep_page(const SweepPage& page) {
  const PlanTable& table = page.plan.table;
  const HtmlTable failed = with_reason(table, page.plan.axes, "reason");
  const std::string axis = curve_axis(page, table);
  std::string body = "<p>" + badge(page.plan.machine) + badge("mode " + page.mode) +
                     badge(fmt::format("{} points", table.rows())) +
                     badge(fmt::format("{} failed", failed.rows.size()), !failed.rows.empty()) + "</p>\n";
  body += section_of(1, "Curves", curves(page, table, axis));
  body += section_of(2, "Extremes", scrolled(extremes(page, table)));
  body += section_of(3, "Failures", failed.rows.empty() ? absent("No point failed.") : scrolled(failed));
  body += section_of(4, "All points", scrolled(all_of(table)));
  const bool points = page.mode == "random" || axis.empty();
  const Json words{{"column", page.columns.front()},
                   {"columns", page.columns},
                   {"axis", axis.empty() ? "settings" : axis},
                   {"angle", axis.empty() ? -30 : 0},
                   {"mark", points ? Json{{"type", "point"}, {"filled", true}, {"size", 60}}
                                   : Json{{"type", "line"}, {"point", true}}}};
  return page_of("sweep " + page.plan.name, body, lists(words));
}

std::string exploration_page(const ExplorationPage& page) {
  const PlanTable& table = page.plan.table;
  const HtmlTable refused = with_reason(table, page.plan.axes, "why");
  std::string body = "<p>" + badge(page.plan.machine) + badge(fmt::format("{:g} mm²", page.budget_mm2)) +
                     badge("screened by " + page.model) + badge(fmt::format("{} designs", table.rows())) + "</p>\n";
  body += section_of(1, "Area against time", front(page, table));
  body += section_of(2, "What the area bought", spent(page, table));
  body += section_of(3, "Without a time", refused.rows.empty() ? absent("Every design has one.") : scrolled(refused));
  body += section_of(4, "All designs", scrolled(all_of(table)));
  return page_of("dse " + page.plan.name, body, "{}");
}

std::string designs_page(const PlanPage& plan) {
  const PlanTable& table = plan.table;
  std::string body = "<p>" + badge(plan.machine) + badge(fmt::format("{} designs", table.rows())) + "</p>\n";
  body += section_of(1, "Performance by number of processing elements",
                     figure_of({"designs", "Gop/s and utilisation",
                                "More processing elements leave less area to registers and scratchpads, which keep "
                                "them busy.",
                                all_of(table)}));
  return page_of("dse " + plan.name, body, "{}");
}

}  // namespace teslasim
