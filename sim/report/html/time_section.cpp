// SPDX-License-Identifier: Apache-2.0
// Section 9: the launch over time, from intervals.csv and ctas.csv.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/report/html/html.h"
#include "sim/report/html/sections.h"

namespace teslasim {
namespace {

/// Reasons by the beginning of their names, as the chart shows them; the order is that of the stack.
struct Group {
  const char* name;
  std::array<const char*, 2> prefixes;
};
constexpr std::array<Group, 8> groups{{{"issued", {"issued", ""}},
                                       {"replay", {"replay.", ""}},
                                       {"dep", {"dep.", ""}},
                                       {"mem", {"mem.", ""}},
                                       {"sync", {"sync.", ""}},
                                       {"pipe", {"pipe.", ""}},
                                       {"front end", {"fetch", "branch"}},
                                       {"empty", {"empty.", ""}}}};

bool belongs(const Group& group, std::string_view reason) {
  return std::any_of(group.prefixes.begin(), group.prefixes.end(),
                     [reason](std::string_view prefix) { return !prefix.empty() && reason.starts_with(prefix); });
}

struct SlotColumns {
  std::array<std::vector<std::string>, groups.size()> of_group;
  explicit SlotColumns(const CsvTable& table) {
    constexpr std::string_view prefix = "slot_";
    for (const std::string& column : table.columns()) {
      if (!column.starts_with(prefix)) continue;
      for (std::size_t i = 0; i < groups.size(); ++i) {
        if (belongs(groups[i], std::string_view(column).substr(prefix.size()))) of_group[i].push_back(column);
      }
    }
  }
  [[nodiscard]] double slots(const CsvTable& table, std::size_t row, std::size_t group) const {
    double sum = 0;
    for (const std::string& column : of_group[group]) sum += table.number(row, column);
    return sum;
  }
  [[nodiscard]] double all(const CsvTable& table, std::size_t row) const {
    double sum = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) sum += slots(table, row, i);
    return sum;
  }
};

/// All rows of the whole GPU. Several launches follow each other.
HtmlTable interval_table(const ReportRun& run) {
  const CsvTable& csv = run.intervals;
  const SlotColumns columns(csv);
  HtmlTable table{{"cycle"}, {}};
  for (const Group& group : groups) table.head.emplace_back(group.name);
  for (const char* name : {"active", "eligible", "GB/s", "IPC"}) table.head.emplace_back(name);
  const double mhz = run.stats["machine.shader_mhz"].number_or(1);
  const double sms = std::max(run.stats["machine.sms"].number_or(1), 1.0);
  double offset = 0, launch_end = 0;
  std::string launch = "0";
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    if (csv.text(row, "sm") != "-1") continue;
    if (csv.text(row, "launch") != launch) {
      launch = csv.text(row, "launch");
      offset += launch_end;
    }
    const double begin = csv.number(row, "cycle_begin"), end = csv.number(row, "cycle_end");
    launch_end = end;
    const double all = std::max(columns.all(csv, row), 1.0);
    std::vector<std::string> cells{number_text(offset + begin, 0)};
    for (std::size_t i = 0; i < groups.size(); ++i)
      cells.push_back(number_text(100 * columns.slots(csv, row, i) / all, 1));
    const double issued = columns.slots(csv, row, 0);
    const double bytes = csv.number(row, "dram_read_bytes") + csv.number(row, "dram_write_bytes");
    cells.push_back(number_text(csv.number(row, "active_warps"), 3));
    cells.push_back(number_text(csv.number(row, "eligible_warps"), 3));
    cells.push_back(number_text(end > begin ? bytes * mhz * 1e-3 / (end - begin) : 0, 2));
    cells.push_back(number_text(end > begin ? 2 * issued / (sms * (end - begin)) : 0, 3));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Issue utilisation of each SM, of the longest launch.
HtmlTable sm_table(const ReportRun& run) {
  const CsvTable& csv = run.intervals;
  const SlotColumns columns(csv);
  HtmlTable table{{"sm", "begin", "end", "issued"}, {}};
  const std::string launch = std::to_string(run.longest());
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    if (csv.text(row, "sm") == "-1" || csv.text(row, "launch") != launch) continue;
    const double all = std::max(columns.all(csv, row), 1.0);
    table.rows.push_back({csv.text(row, "sm"), csv.text(row, "cycle_begin"), csv.text(row, "cycle_end"),
                          number_text(100 * columns.slots(csv, row, 0) / all, 1)});
  }
  return table;
}

/// Blocks of the longest launch: as many SMs as fit, each with all of its blocks that were kept. `nth` counts the
/// blocks of a slot.
HtmlTable block_table(const ReportRun& run) {
  constexpr std::size_t most = 1000;
  const CsvTable& csv = run.ctas;
  const std::string launch = std::to_string(run.longest());
  const std::string end = run.launch(run.longest())["time.cycles"].text();
  HtmlTable table{{"sm", "slot", "cta", "nth", "begin", "end"}, {}};
  std::map<std::string, std::size_t> of_slot;
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    if (csv.text(row, "launch") != launch) continue;
    const std::string& sm = csv.text(row, "sm");
    const bool next = table.rows.empty() || table.rows.back()[0] != sm;
    if (next) of_slot.clear();
    std::size_t more = 0;
    while (next && row + more < csv.rows() && csv.text(row + more, "sm") == sm) ++more;
    if (!table.rows.empty() && table.rows.size() + more > most) break;
    const std::string& slot = csv.text(row, "slot");
    const std::string& last = csv.text(row, "cycle_end");
    table.rows.push_back({sm, slot, csv.text(row, "cta"), std::to_string(of_slot[slot]++), csv.text(row, "cycle_begin"),
                          last.empty() ? end : last});
  }
  return table;
}

std::string blocks_figure(const ReportRun& run) {
  const HtmlTable table = block_table(run);
  const std::size_t blocks = table.rows.size();
  return figure_of({"blocks", "Blocks of one SM over time",
                    fmt::format("A bar is a block in its slot; gaps are slots without a block. {} blocks, all in "
                                "ctas.csv.",
                                blocks),
                    table});
}

}  // namespace

std::vector<std::string> sms_with_blocks(const ReportRun& run) {
  std::vector<std::string> sms;
  for (const std::vector<std::string>& row : block_table(run).rows) {
    if (sms.empty() || sms.back() != row[0]) sms.push_back(row[0]);
  }
  return sms;
}

std::string time_section(const ReportRun& run) {
  if (run.intervals.rows() == 0) {
    return section_of(
        9, "Time",
        absent("The run has no intervals.csv: it was functional, or --no-intervals was given.") + blocks_figure(run));
  }
  return section_of(
      9, "Time",
      figure_of({"intervals", "The launch over time",
                 "Drag over the lowest strip to look at a part of it; warps, traffic and issue rate are those "
                 "of an average SM.",
                 interval_table(run)}) +
          figure_of({"sms", "Issue utilisation of every SM over time",
                     "Dark rows are idle SMs; a dark right edge is the tail of the launch.", sm_table(run)}) +
          blocks_figure(run));
}

}  // namespace teslasim
