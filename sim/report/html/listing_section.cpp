// SPDX-License-Identifier: Apache-2.0
// Section 8: every instruction with what it cost.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "sim/report/html/html.h"
#include "sim/report/html/sections.h"

namespace teslasim {
namespace {

/// Columns of pc.csv that hold slots, with the names of their reasons.
constexpr std::array<std::array<const char*, 2>, 21> slot_columns{{{"slots_issued", "issued"},
                                                                   {"slots_replay_shared", "replay.shared_bank"},
                                                                   {"slots_replay_const", "replay.const"},
                                                                   {"slots_replay_global", "replay.global"},
                                                                   {"slots_replay_atomic", "replay.atomic"},
                                                                   {"stall_dep_alu", "dep.alu"},
                                                                   {"stall_dep_sfu", "dep.sfu"},
                                                                   {"stall_dep_dp", "dep.dp"},
                                                                   {"stall_dep_reissue", "dep.reissue"},
                                                                   {"stall_mem_global", "mem.global"},
                                                                   {"stall_mem_local", "mem.local"},
                                                                   {"stall_mem_shared", "mem.shared"},
                                                                   {"stall_mem_const", "mem.const"},
                                                                   {"stall_mem_tex", "mem.tex"},
                                                                   {"stall_mem_queue", "mem.queue"},
                                                                   {"stall_barrier", "sync.barrier"},
                                                                   {"stall_membar", "sync.membar"},
                                                                   {"stall_pipe", "pipe"},
                                                                   {"stall_fetch", "fetch"},
                                                                   {"stall_branch", "branch"},
                                                                   {"stall_empty", "empty"}}};

struct Line {
  std::size_t row = 0;
  double slots = 0.0;
  std::string reason;
};

Line line_of(const CsvTable& pc, std::size_t row) {
  Line line;
  line.row = row;
  double most = 0.0;
  for (const auto& [column, reason] : slot_columns) {
    const double slots = pc.number(row, column);
    line.slots += slots;
    if (slots <= most) continue;
    most = slots;
    line.reason = reason;
  }
  return line;
}

double share_of(double slots, double total) {
  return total > 0 ? slots / total : 0.0;
}

const std::vector<std::string>& columns() {
  static const std::vector<std::string> names{"launch", "pc",    "flow",    "bytes",        "instruction",
                                              "line",   "heat",  "slots %", "slots",        "top reason",
                                              "issues", "lanes", "replays", "transactions", "blamed"};
  return names;
}

/// Where the instruction jumps to, as text beside its address: "↑ 0x0040".
std::string flow_of(const std::string& text, const std::string& pc) {
  const std::size_t bra = text.find("bra");
  const std::size_t label = bra == std::string::npos ? std::string::npos : text.find("0x", bra);
  if (label == std::string::npos) return "";
  const auto target = std::strtoul(text.c_str() + label, nullptr, 16);
  const auto here = std::strtoul(pc.c_str(), nullptr, 16);
  return fmt::format("{} 0x{:04x}", target <= here ? "↑" : "↓", target);
}

std::vector<std::string> cells_of(const CsvTable& pc, const Line& line, double total) {
  const std::size_t row = line.row;
  const auto sum = [&pc, row](std::initializer_list<const char*> names) {
    double value = 0;
    for (const char* name : names) value += pc.number(row, name);
    return value == 0 ? std::string() : number_text(value, 0);
  };
  return {pc.text(row, "launch"),
          pc.text(row, "pc"),
          flow_of(pc.text(row, "text"), pc.text(row, "pc")),
          pc.text(row, "size"),
          pc.text(row, "text"),
          pc.text(row, "src_line"),
          number_text(share_of(line.slots, total), 3),
          number_text(100 * share_of(line.slots, total), 2),
          number_text(line.slots, 0),
          line.reason,
          pc.text(row, "warp_issues"),
          pc.text(row, "active_lanes_avg"),
          sum({"slots_replay_shared", "slots_replay_const", "slots_replay_global", "slots_replay_atomic"}),
          sum({"tx32", "tx64", "tx128"}),
          pc.text(row, "blamed_pc")};
}

std::string json_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '<') {
      quoted += "\\u003c";  // never the end of the script element
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

bool is_number_column(std::size_t column) {
  constexpr std::array<std::size_t, 9> numbers{3, 5, 6, 7, 8, 10, 11, 12, 13};
  return std::find(numbers.begin(), numbers.end(), column) != numbers.end();
}

std::string json_row(const std::vector<std::string>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += i == 0 ? "[" : ",";
    text += is_number_column(i) && !cells[i].empty() ? cells[i] : json_string(cells[i]);
  }
  return text + "]";
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
  // Without scripts: the instructions with the most slots, in the order of their addresses.
  constexpr std::size_t most_plain = 400;
  std::vector<std::size_t> plain(lines.size());
  std::iota(plain.begin(), plain.end(), std::size_t{0});
  if (plain.size() > most_plain) {
    std::stable_sort(plain.begin(), plain.end(),
                     [&lines](std::size_t a, std::size_t b) { return lines[a].slots > lines[b].slots; });
    plain.resize(most_plain);
    std::sort(plain.begin(), plain.end());
  }
  HtmlTable table{columns(), {}};
  for (const std::size_t index : plain) table.rows.push_back(cells_of(run.pc, lines[index], total));
  std::string data;
  for (const Line& line : lines) data += (data.empty() ? "" : ",\n") + json_row(cells_of(run.pc, line, total));
  return section_of(8, title,
                    paragraph("Slots are charged to the instruction whose issue ended the wait; \"blamed\" is the one "
                              "that it waited for. Click a heading to sort.") +
                        tools(lines) + "<div class=scroll style=\"max-height:40rem\">" + table_of(table, "listing") +
                        "</div>\n<script type=\"application/json\" id=instructions>[" + data + "]</script>\n");
}

}  // namespace teslasim
