// SPDX-License-Identifier: Apache-2.0
// Section 8: every instruction with what it cost.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/report/csv/slot_columns.h"
#include "sim/report/html/html.h"
#include "sim/report/html/sections.h"

namespace teslasim {
namespace {

struct Line {
  const InstructionRow* row = nullptr;
  double slots = 0.0;
  std::string reason;
};

Line line_of(const InstructionRow& row) {
  Line line;
  line.row = &row;
  double most = 0.0;
  for (std::size_t i = 0; i < slot_columns().size(); ++i) {
    const auto slots = static_cast<double>(row.slots[i]);
    line.slots += slots;
    if (slots <= most) continue;
    most = slots;
    line.reason = slot_columns()[i].label;
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

std::string address_text(std::uint32_t address) {
  return fmt::format("0x{:04x}", address);
}

/// Where the instruction jumps to, as text beside its address: "↑ 0x0040".
std::string flow_of(const ListingLine& line) {
  if (!line.target) return "";
  return (*line.target <= line.pc ? "↑ " : "↓ ") + address_text(*line.target);
}

/// Zero is an empty cell.
std::string count_text(double value, int decimals = 0) {
  return value == 0 ? std::string() : number_text(value, decimals);
}

std::string top_cell(const Line& line, double total, std::string_view column) {
  if (column == "heat") return number_text(share_of(line.slots, total), 3);
  if (column == "slots %") return number_text(100 * share_of(line.slots, total), 2);
  if (column == "slots") return count_text(line.slots);
  return line.reason;
}

std::string cell_of(const Line& line, double total, std::string_view column) {
  const InstructionRow& row = *line.row;
  if (column == "launch") return std::to_string(row.launch);
  if (column == "pc") return address_text(row.line.pc);
  if (column == "bytes") return std::to_string(row.line.bytes);
  if (column == "instruction") return row.line.text;
  if (column == "line") return row.line.source_line == 0 ? "" : std::to_string(row.line.source_line);
  if (column == "blamed") return row.blamed ? address_text(*row.blamed) : "";
  if (column == "target") return row.line.target ? address_text(*row.line.target) : "";
  if (column == "flow") return flow_of(row.line);
  const auto whole = [](std::uint64_t count) { return count_text(static_cast<double>(count)); };
  if (column == "issues") return whole(row.warp_issues);
  if (column == "lanes") return count_text(row.active_lanes(), 2);
  if (column == "transactions") return whole(row.transactions_32 + row.transactions_64 + row.transactions_128);
  if (column != "replays") return top_cell(line, total, column);
  std::uint64_t replays = 0;
  for (std::size_t i = 0; i < slot_columns().size(); ++i) {
    if (info(slot_columns()[i].reasons.front()).group == ReasonGroup::replay) replays += row.slots[i];
  }
  return whole(replays);
}

std::vector<HtmlCell> cells_of(const Line& line, double total, const std::vector<std::string>& columns) {
  std::vector<HtmlCell> cells;
  for (const std::string& column : columns) cells.push_back(cell_of(line, total, column));
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

std::string listing_section(const FinishedRun& run) {
  const char* title = "Annotated listing";
  if (run.instructions.empty()) return section_of(8, title, absent("The run has no pc.csv."));
  std::vector<Line> lines;
  double charged = 0;
  for (const InstructionRow& row : run.instructions) {
    lines.push_back(line_of(row));
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
  for (const std::size_t index : plain) table.rows.push_back(cells_of(lines[index], total, table.head));
  for (const Line& line : lines) all.rows.push_back(cells_of(line, total, all.head));
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
