// SPDX-License-Identifier: Apache-2.0
// Section 9: the launch over time, from the intervals and the times of its blocks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <vector>

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

/// Slots of an interval by group.
struct GroupSlots {
  std::array<double, groups.size()> of_group{};
  explicit GroupSlots(const IntervalRow& row) {
    for (unsigned reason = 0; reason < slot_reason_count; ++reason) {
      const SlotReasonInfo& known = slot_reasons[reason];
      if (known.views == ReasonViews::B) continue;
      for (std::size_t i = 0; i < groups.size(); ++i) {
        if (belongs(groups[i], known.name))
          of_group[i] += static_cast<double>(row.slots[static_cast<SlotReason>(reason)]);
      }
    }
  }
  [[nodiscard]] double share(std::size_t group) const {
    return 100 * of_group[group] / std::max(std::accumulate(of_group.begin(), of_group.end(), 0.0), 1.0);
  }
};

/// What the partitions moved in an interval, and could move at most.
struct Traffic {
  double bytes = 0, most = 0;
};

/// The bytes of a burst count at one moment. What exceeds the peak of an interval was moved in those beside it: behind
/// it as far as these have room, else before it.
void spread(std::span<Traffic> launch) {
  double rest = 0;
  const auto take = [&rest](Traffic& one) {
    const double all = one.bytes + rest;
    one.bytes = std::min(all, one.most);
    rest = all - one.bytes;
  };
  for (Traffic& one : launch) take(one);
  for (std::size_t i = launch.size(); rest > 0 && i-- > 0;) take(launch[i]);
}

/// Of each row of the whole GPU, in their order.
std::vector<Traffic> traffic(const FinishedRun& run) {
  const double mhz = run.statistics["machine.shader_mhz"].number_or(1);
  const double peak = configured_number(run.configuration, "derived.peak_gbs_dram") * 1e3 / mhz;  // bytes per cycle
  std::vector<Traffic> all;
  std::size_t first = 0;
  std::uint64_t launch = 0;
  for (const IntervalRow& row : run.intervals) {
    if (row.sm) continue;
    if (row.launch != launch) {
      spread(std::span(all).subspan(first));
      first = all.size();
      launch = row.launch;
    }
    const double cycles = row.end > row.begin ? static_cast<double>(row.end - row.begin) : 0;
    const auto bytes = row.memory ? static_cast<double>(row.memory->read_bytes + row.memory->write_bytes) : 0;
    all.push_back({bytes, peak > 0 ? peak * cycles : bytes});
  }
  spread(std::span(all).subspan(first));
  return all;
}

/// All rows of the whole GPU. Several launches follow each other.
HtmlTable interval_table(const FinishedRun& run) {
  HtmlTable table{{"cycle"}, {}};
  for (const Group& group : groups) table.head.emplace_back(group.name);
  for (const char* name : {"active", "eligible", "GB/s", "IPC"}) table.head.emplace_back(name);
  const std::vector<Traffic> moved = traffic(run);
  const double mhz = run.statistics["machine.shader_mhz"].number_or(1);
  const double sms = std::max(run.statistics["machine.sms"].number_or(1), 1.0);
  SpCycle offset = 0, launch_end = 0;
  std::uint64_t launch = 0;
  for (const IntervalRow& row : run.intervals) {
    if (row.sm) continue;
    if (row.launch != launch) {
      launch = row.launch;
      offset += launch_end;
    }
    launch_end = row.end;
    const double cycles = row.end > row.begin ? static_cast<double>(row.end - row.begin) : 0;
    const GroupSlots slots(row);
    std::vector<HtmlCell> cells{std::to_string((offset + row.begin).count())};
    for (std::size_t i = 0; i < groups.size(); ++i) cells.push_back(number_text(slots.share(i), 1));
    cells.push_back(number_text(row.active_warps, 3));
    cells.push_back(number_text(row.eligible_warps, 3));
    cells.push_back(number_text(cycles > 0 ? moved.at(table.rows.size()).bytes * mhz * 1e-3 / cycles : 0, 2));
    cells.push_back(
        number_text(cycles > 0 ? double{sp_cycles_per_sm_cycle} * slots.of_group[0] / (sms * cycles) : 0, 3));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Issue utilisation of each SM, of the longest launch.
HtmlTable sm_table(const FinishedRun& run) {
  HtmlTable table{{"sm", "begin", "end", "issued"}, {}};
  const std::uint64_t launch = run.number_of(run.longest());
  for (const IntervalRow& row : run.intervals) {
    if (!row.sm || row.launch != launch) continue;
    table.rows.push_back({std::to_string(*row.sm), std::to_string(row.begin.count()), std::to_string(row.end.count()),
                          number_text(GroupSlots(row).share(0), 1)});
  }
  return table;
}

/// Blocks of the longest launch: as many SMs as fit, each with all of its blocks that were kept.
std::vector<BlockRow> shown_blocks(const FinishedRun& run) {
  constexpr std::size_t most = 1000;
  const std::uint64_t launch = run.number_of(run.longest());
  std::map<std::uint64_t, std::vector<BlockRow>> by_sm;
  for (const BlockRow& row : run.blocks) {
    if (row.launch == launch) by_sm[row.sm].push_back(row);
  }
  std::vector<BlockRow> shown;
  for (const auto& [sm, blocks] : by_sm) {
    if (!shown.empty() && shown.size() + blocks.size() > most) break;
    shown.insert(shown.end(), blocks.begin(), blocks.end());
  }
  return shown;
}

/// `nth` counts the blocks of a slot.
HtmlTable block_table(const FinishedRun& run) {
  const std::string end = run.launch(run.longest())["time.cycles"].text();
  HtmlTable table{{"sm", "slot", "cta", "nth", "begin", "end"}, {}};
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> of_slot;
  for (const BlockRow& row : shown_blocks(run)) {
    table.rows.push_back({std::to_string(row.sm), std::to_string(row.slot), std::to_string(row.block),
                          std::to_string(of_slot[{row.sm, row.slot}]++), std::to_string(row.begin.count()),
                          row.end ? std::to_string(row.end->count()) : end});
  }
  return table;
}

std::string blocks_figure(const FinishedRun& run) {
  const HtmlTable table = block_table(run);
  const std::size_t blocks = table.rows.size();
  return figure_of({"blocks", "Blocks of one SM over time",
                    fmt::format("A bar is a block in its slot; gaps are slots without a block. {} blocks, all in "
                                "ctas.csv.",
                                blocks),
                    table});
}

}  // namespace

std::vector<std::uint64_t> sms_with_blocks(const FinishedRun& run) {
  std::vector<std::uint64_t> sms;
  for (const BlockRow& row : shown_blocks(run)) {
    if (sms.empty() || sms.back() != row.sm) sms.push_back(row.sm);
  }
  return sms;
}

std::string time_section(const FinishedRun& run) {
  if (run.intervals.empty()) {
    return section_of(
        9, "Time",
        absent("The run has no intervals.csv: it was functional, or --no-intervals was given.") + blocks_figure(run));
  }
  return section_of(
      9, "Time",
      figure_of({"intervals", "The launch over time",
                 "Drag over the lowest strip to look at a part of it; warps and issue rate are those of an average "
                 "SM, traffic is that of all partitions. What an interval has beyond their peak, as the bytes of a "
                 "burst count at one moment, is shown in those beside it; intervals.csv has it as counted.",
                 interval_table(run)}) +
          figure_of({"sms", "Issue utilisation of every SM over time",
                     "Dark rows are idle SMs; a dark right edge is the tail of the launch.", sm_table(run)}) +
          blocks_figure(run));
}

}  // namespace teslasim
