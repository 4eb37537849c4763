// SPDX-License-Identifier: Apache-2.0
// Section 8: every instruction with what it cost.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "sim/report/csv/slot_columns.h"
#include "sim/report/html/html.h"
#include "sim/report/html/sections.h"

namespace teslasim {
namespace {

struct Line {
  std::size_t row = 0;
  double slots = 0.0;
  std::string reason;
};

Line line_of(const CsvTable& pc, std::size_t row) {
  Line line;
  line.row = row;
  double most = 0.0;
  for (const SlotColumn& column : slot_columns()) {
    const double slots = pc.number(row, column.name.c_str());
    line.slots += slots;
    if (slots <= most) continue;
    most = slots;
    line.reason = column.label;
  }
  return line;
}

double share_of(double slots, double total) {
  return total > 0 ? slots / total : 0.0;
}

/// The columns of the table. Those that follow from others, heat, "slots %" and flow, are not in the lines.
std::vector<std::string> columns(bool several_launches) {
  std::vector<std::string> names{"pc",    "flow",       "bytes",  "instruction", "line",    "heat",         "slots %",
                                 "slots", "top reason", "issues", "lanes",       "replays", "transactions", "blamed"};
  if (several_launches) names.insert(names.begin(), "launch");
  return names;
}

std::vector<std::string> line_columns(bool several_launches) {
  std::vector<std::string> names{"pc",           "bytes",  "line",   "issues", "lanes",      "replays",
                                 "transactions", "target", "blamed", "slots",  "top reason", "instruction"};
  if (several_launches) names.insert(names.begin(), "launch");
  return names;
}

/// Where the instruction jumps to, as text beside its address: "↑ 0x0040".
std::string flow_of(const std::string& target, const std::string& pc) {
  if (target.empty()) return "";
  const bool back = std::strtoul(target.c_str(), nullptr, 16) <= std::strtoul(pc.c_str(), nullptr, 16);
  return (back ? "↑ " : "↓ ") + target;
}

/// Zero is an empty cell.
std::string count_text(double value, int decimals = 0) {
  return value == 0 ? std::string() : number_text(value, decimals);
}

std::string cell_of(const CsvTable& pc, const Line& line, double total, std::string_view column) {
  constexpr std::array<std::array<const char*, 2>, 7> copied{{{"launch", "launch"},
                                                              {"pc", "pc"},
                                                              {"bytes", "size"},
                                                              {"instruction", "text"},
                                                              {"line", "src_line"},
                                                              {"blamed", "blamed_pc"},
                                                              {"target", "target"}}};
  const std::size_t row = line.row;
  for (const auto& [name, field] : copied) {
    if (column == name) return pc.text(row, field);
  }
  const auto sum = [&pc, row](std::initializer_list<const char*> names) {
    double value = 0;
    for (const char* name : names) value += pc.number(row, name);
    return count_text(value);
  };
  if (column == "flow") return flow_of(pc.text(row, "target"), pc.text(row, "pc"));
  if (column == "heat") return number_text(share_of(line.slots, total), 3);
  if (column == "slots %") return number_text(100 * share_of(line.slots, total), 2);
  if (column == "slots") return count_text(line.slots);
  if (column == "top reason") return line.reason;
  if (column == "issues") return count_text(pc.number(row, "warp_issues"));
  if (column == "lanes") return count_text(pc.number(row, "active_lanes_avg"), 2);
  if (column == "transactions") return sum({"tx32", "tx64", "tx128"});
  double replays = 0;
  for (const SlotColumn& slots : slot_columns()) {
    if (info(slots.reasons.front()).group == ReasonGroup::replay) replays += pc.number(row, slots.name.c_str());
  }
  return count_text(replays);
}

std::vector<std::string> cells_of(const CsvTable& pc, const Line& line, double total,
                                  const std::vector<std::string>& columns) {
  std::vector<std::string> cells;
  for (const std::string& column : columns) cells.push_back(cell_of(pc, line, total, column));
  return cells;
}

std::string tools(const std::vector<Line>& lines) {
  std::vector<std::string> reasons;
  for (const Line& line : lines) {
    if (!line.reason.empty() && std::find(reasons.begin(), reasons.end(), line.reason) == reasons.end()) {
      reasons.push_back(line.reason);
    }
  }
  std::sort(reasons.begin(), reasons.end());
  std::string text =
      "<p class=tools hidden><input id=search type=search placeholder=\"search\" aria-label=\"search the listing\"> "
      "<select id=reason aria-label=\"top reason\"><option value=\"\">every reason</option>";
  for (const std::string& reason : reasons) text += fmt::format("<option value=\"{0}\">{0}</option>", html(reason));
  return text + "</select> <span id=shown></span> <button id=more hidden>more</button></p>\n";
}

}  // namespace

std::string listing_section(const ReportRun& run) {
  const char* title = "Annotated listing";
  if (run.pc.rows() == 0) return section_of(8, title, absent("The run has no pc.csv."));
  std::vector<Line> lines;
  double charged = 0;
  for (std::size_t row = 0; row < run.pc.rows(); ++row) {
    lines.push_back(line_of(run.pc, row));
    charged += lines.back().slots;
  }
  const double total = run.slots("total") > 0 ? run.slots("total") : charged;
  // Without scripts: the instructions with the most slots as a table, and all of them as lines.
  constexpr std::size_t most_plain = 50;
  std::vector<std::size_t> plain(lines.size());
  std::iota(plain.begin(), plain.end(), std::size_t{0});
  if (plain.size() > most_plain) {
    std::stable_sort(plain.begin(), plain.end(),
                     [&lines](std::size_t a, std::size_t b) { return lines[a].slots > lines[b].slots; });
    plain.resize(most_plain);
    std::sort(plain.begin(), plain.end());
  }
  const bool several = run.launches() > 1;
  HtmlTable table{columns(several), {}}, all{line_columns(several), {}};
  for (const std::size_t index : plain) table.rows.push_back(cells_of(run.pc, lines[index], total, table.head));
  for (const Line& line : lines) all.rows.push_back(cells_of(run.pc, line, total, all.head));
  const std::string hottest = fmt::format(
      "<noscript><p>The {} instructions with the most slots; all of them stand below.</p></noscript>", plain.size());
  return section_of(
      8, title,
      paragraph("Slots are charged to the instruction whose issue ended the wait; \"blamed\" is the one "
                "that it waited for. Click a heading to sort.") +
          tools(lines) + (plain.size() < lines.size() ? hottest : "") +
          "<div class=scroll style=\"max-height:40rem\">" + table_of(table, "listing") + "</div>\n" +
          fmt::format("<details class=data><summary>all {} instructions as text</summary>{}</details>\n", lines.size(),
                      lines_of(all, fmt::format("id=instructions data-total={}", number_text(total, 0)))));
}

}  // namespace teslasim
