// SPDX-License-Identifier: Apache-2.0
// Section 13: where the time between two runs went.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/report/compare/change_limit.h"
#include "sim/report/html/html.h"
#include "sim/report/html/sections.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

/// The time of a run by cause: every slot of every SM takes its share of the time, so the parts sum to it.
double time_of(const FinishedRun& run, std::string_view reason) {
  double ms = 0;
  for (std::size_t i = 0; i < run.launches(); ++i) {
    const StatisticTree& launch = run.launch(i);
    const double total = launch["issue_slots.total"].number_or(0);
    if (total > 0) ms += run.ms(i) * launch["issue_slots"][reason].number_or(0) / total;
  }
  return ms;
}

struct Step {
  std::string cause;
  double change = 0.0;
};

std::vector<Step> steps_between(const FinishedRun& a, const FinishedRun& b) {
  std::vector<Step> steps;
  for (const SlotReasonInfo& reason : slot_reasons) {
    if (reason.views == ReasonViews::B) continue;
    const double change = time_of(b, reason.name) - time_of(a, reason.name);
    if (change != 0) steps.push_back({std::string(reason.name), change});
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& x, const Step& y) { return std::abs(x.change) > std::abs(y.change); });
  return steps;
}

HtmlTable waterfall(const FinishedRun& a, const FinishedRun& b) {
  HtmlTable table{{"cause", "from_ms", "to_ms", "change_ms", "kind"}, {}};
  double at = a.total_ms();
  table.rows.push_back({a.label, "0", milliseconds_number(at), milliseconds_number(at), "run"});
  for (const Step& step : steps_between(a, b)) {
    table.rows.push_back({step.cause, milliseconds_number(at), milliseconds_number(at + step.change),
                          milliseconds_number(step.change), step.change > 0 ? "longer" : "shorter"});
    at += step.change;
  }
  const double end = b.total_ms();
  table.rows.push_back({b.label, "0", milliseconds_number(end), milliseconds_number(end), "run"});
  return table;
}

std::string stack_of(const FinishedRun& run) {
  std::vector<BarPart> parts;
  const double total = std::max(run.slots("total"), 1.0);
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    const double slots = run.slots(slot_reasons[i].name);
    if (slots > 0)
      parts.push_back({std::string(slot_reasons[i].name), slots / total, color_of(static_cast<SlotReason>(i))});
  }
  return stacked_bar(parts, run.label + ": " + milliseconds(run.total_ms()));
}

HtmlTable configuration_changes(const FinishedRun& a, const FinishedRun& b) {
  std::map<std::string, std::pair<std::string, std::string>> values;
  for (const ConfigurationRow& row : a.configuration) values[row.key].first = row.plain();
  for (const ConfigurationRow& row : b.configuration) values[row.key].second = row.plain();
  HtmlTable table{{"key", a.label, b.label}, {}};
  for (const auto& [key, pair] : values) {
    if (pair.first != pair.second) table.rows.push_back({key, pair.first, pair.second});
  }
  return table;
}

double slots_of(const InstructionRow& row) {
  return static_cast<double>(std::accumulate(row.slots.begin(), row.slots.end(), std::uint64_t{0}));
}

/// Instructions with the same address, where the kernels are the same; else with the same text, summed.
HtmlTable instruction_changes(const FinishedRun& a, const FinishedRun& b) {
  constexpr std::size_t most = 40;
  std::map<std::string, std::pair<double, double>> slots;
  for (const InstructionRow& row : a.instructions) slots[row.line.text].first += slots_of(row);
  for (const InstructionRow& row : b.instructions) slots[row.line.text].second += slots_of(row);
  std::vector<std::pair<double, std::vector<HtmlCell>>> rows;
  for (const auto& [text, pair] : slots) {
    const double change = pair.second - pair.first;
    if (change == 0) continue;
    rows.push_back(
        {std::abs(change), {text, number_text(pair.first, 0), number_text(pair.second, 0), number_text(change, 0)}});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  HtmlTable table{{"instruction", "slots " + a.label, "slots " + b.label, "change"}, {}};
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) table.rows.push_back(std::move(rows[i].second));
  return table;
}

/// Why no factor can be said; empty when it can.
std::string obstacle_between(const FinishedRun& a, const FinishedRun& b) {
  return obstacle_to_comparing({RunData::from_tree(a.label, a.statistics), RunData::from_tree(b.label, b.statistics)});
}

}  // namespace

std::string compare_section(const std::vector<FinishedRun>& runs) {
  if (runs.size() < 2) {
    return section_of(13, "Compare",
                      absent("One run only. `teslasim compare A B --html FILE` puts two beside each other."));
  }
  const FinishedRun &a = runs[0], &b = runs[1];
  std::string body;
  for (const FinishedRun& run : runs) {
    const std::string banner = banner_of(run);
    if (!banner.empty()) body += paragraph("About " + run.label + ":") + banner;
  }
  body += stack_of(a) + stack_of(b);
  if (a.timed() && b.timed()) {
    const double ratio = b.total_ms() > 0 ? a.total_ms() / b.total_ms() : 0;
    const std::string obstacle = obstacle_between(a, b);
    body += paragraph(obstacle.empty() ? fmt::format("{} against {}: {:.2f}× {}.", b.label, a.label,
                                                     ratio >= 1 ? ratio : 1 / ratio, ratio >= 1 ? "faster" : "slower")
                                       : obstacle + ".");
    body += figure_of({"waterfall", "From the time of " + a.label + " to that of " + b.label,
                       "Each step is the time that a cause takes more or less; they sum to the difference.",
                       waterfall(a, b)});
  }
  const HtmlTable configuration = configuration_changes(a, b);
  body += "<h3>Configuration</h3>" + (configuration.rows.empty() ? paragraph("identical") : scrolled(configuration));
  const HtmlTable instructions = instruction_changes(a, b);
  body += "<h3>Instructions</h3>" +
          (instructions.rows.empty() ? paragraph("no instruction changed its slots") : scrolled(instructions));
  body += paragraph("The sections below are about " + a.label + ".");
  return section_of(0, "Compare", body);
}

}  // namespace teslasim
