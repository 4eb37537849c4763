// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/text/format.h"
#include "sim/report/text/hints.h"
#include "sim/report/text/prediction_report.h"
#include "sim/report/text/slot_table.h"

namespace teslasim {
namespace {

constexpr double femtoseconds_per_millisecond = 1e12;
constexpr std::size_t listed_launches = 8;
constexpr std::size_t listed_hot_spots = 3;
constexpr std::size_t listing_width = 42;
constexpr std::size_t why_width = 38;
constexpr std::size_t label_width = 12;

double ms_of(Femtoseconds time) {
  return static_cast<double>(time) / femtoseconds_per_millisecond;
}

std::string shape(const LaunchStatistics& launch) {
  const auto dimension = [](const auto& sizes) {
    std::string text = std::to_string(sizes[0]);
    for (std::size_t i = 1; i < 3; ++i) {
      const bool later_counts =
          std::any_of(sizes.begin() + static_cast<std::ptrdiff_t>(i), sizes.end(), [](auto size) { return size != 1; });
      if (later_counts) text += "x" + std::to_string(sizes[i]);
    }
    return text;
  };
  const std::string blocks = dimension(launch.grid), threads = dimension(launch.block);
  return fmt::format("{} {} × {} {}", blocks, blocks == "1" ? "block" : "blocks", threads,
                     threads == "1" ? "thread" : "threads");
}

/// `text` after `label`, continued below it when the line would get too long.
std::string section(std::string_view label, const std::string& text) {
  return padded(label, label_width) + text + '\n';
}

std::string heading(const Result& result) {
  const LaunchStatistics& first = result.launches.front().statistics;
  std::string line = result.name;
  line += result.launches_run() == 1 ? "  " + shape(first) : fmt::format("  {} launches", result.launches_run());
  line += fmt::format("   {} ({})   {} SM @ {:.0f} MHz", result.machine.name, result.machine.arch, result.machine.sms,
                      result.machine.shader_mhz);
  if (result.run_directory.empty()) return line + '\n';
  const std::string directory = "→ " + result.run_directory;
  const bool fits = columns(line) + 3 + columns(directory) <= summary_width;
  return line + (fits ? "   " : "\n  ") + directory + '\n';
}

std::string outputs_text(const Result& result) {
  const std::uint64_t checked = result.outputs_checked();
  if (checked == 0) return result.status == RunStatus::ok ? "output buffers: not checked" : "";
  std::uint64_t good = 0;
  for (const LaunchResult& launch : result.launches) {
    if (!launch.outputs) continue;
    good += static_cast<std::uint64_t>(
        std::count_if(launch.outputs->begin(), launch.outputs->end(), [](const auto& check) { return check.ok; }));
  }
  if (good == checked) return fmt::format("output buffers: OK ({} of {} checked)", good, checked);
  return fmt::format("output buffers: WRONG ({} of {} differ)", checked - good, checked);
}

std::string wrong_outputs(const Result& result) {
  std::string text;
  for (const LaunchResult& launch : result.launches) {
    if (!launch.outputs) continue;
    for (const OutputCheck& check : *launch.outputs) {
      if (check.ok) continue;
      const std::string line = fmt::format("'{}': {} of {} elements wrong; {}", check.buffer, grouped(check.wrong),
                                           grouped(check.compared), check.first_difference);
      text += section("", shortened(line, summary_width - label_width));
    }
  }
  return text;
}

/// What the host pays on top of the time above, so that nobody takes one for the other.
std::string overhead_section(const Result& result) {
  double kernel = 0.0, overhead = 0.0;
  for (const LaunchResult& launch : result.launches) {
    kernel += ms_of(launch.time());
    overhead += ms_of(launch.statistics.overhead);
  }
  if (!result.timed() || overhead == 0.0) return "";
  const char* condition = result.launches_run() > 1 ? " if the host waits for each launch" : "";
  return section("LAUNCH", fmt::format("{} of driver and front end on top{}: {} end to end", milliseconds(overhead),
                                       condition, milliseconds(kernel + overhead)));
}

std::string result_section(const Result& result) {
  SpCycle cycles = 0;
  double ms = 0.0, bound = 0.0;
  bool sampled = false;
  for (const LaunchResult& launch : result.launches) {
    cycles += launch.cycles();
    ms += ms_of(launch.time());
    bound += launch.sample ? ms_of(launch.sample->bound) : 0.0;
    sampled = sampled || launch.sample;
  }
  std::string text = result.timed() ? fmt::format("{} cycles = {}", grouped(cycles.count()), milliseconds(ms))
                                    : std::string("functional run: no time");
  if (sampled) text += fmt::format(" +-{} (extrapolated)", milliseconds(bound));
  if (result.status != RunStatus::ok) text += fmt::format("    status: {}", name_of(result.status));
  const std::string outputs = outputs_text(result);
  const bool below = sampled && !outputs.empty();
  if (!outputs.empty() && !below) text += "    " + outputs;
  return section("RESULT", text) + (below ? section("", outputs) : "") + wrong_outputs(result);
}

/// Of a launch whose blocks are sampled: which blocks the numbers below are of.
std::string sample_text(const LaunchResult& launch) {
  const BlockSample& sample = *launch.sample;
  const LaunchStatistics& counted = launch.statistics;
  std::string text = fmt::format(
      "{}: {} of {} blocks ran in time ({} cycles = {}), the others by function. The time above is extrapolated from "
      "them, its bound is at 95 %; every other number is of them alone.",
      shortened(counted.kernel, listing_width), grouped(sample.timed_blocks), grouped(launch.blocks()),
      grouped(counted.shader_cycles.count()), milliseconds(ms_of(counted.duration)));
  if (!sample.steady)
    text += fmt::format(" NO STEADY STATE: their time per block changes by {:+.1f} %, so the bound does not hold.",
                        100.0 * sample.trend);
  return section("SAMPLED", wrapped(text, summary_width - label_width, label_width));
}

/// What makes the numbers less than those of the launches.
std::string labels_section(const Result& result) {
  std::string text;
  for (const LaunchResult& launch : result.launches) {
    const LaunchStatistics& counted = launch.statistics;
    if (!launch.sampled) continue;
    if (launch.sample) {
      text += sample_text(launch);
      continue;
    }
    const std::uint64_t blocks = std::uint64_t{counted.grid[0]} * counted.grid[1] * counted.grid[2];
    const std::string which = counted.ctas_total < blocks
                                  ? fmt::format("{} of {} blocks", grouped(counted.ctas_total), grouped(blocks))
                                  : "some of its launches";
    text += section("SAMPLED", fmt::format("{}: {}; every number is of these alone", counted.kernel, which));
  }
  if (result.launches.front().approximate)
    text += section("APPROXIMATE", " a replay of another program's trace: instructions are stand-ins");
  return text;
}

std::string launches_section(const Result& result) {
  if (result.launches_run() < 2) return "";
  std::string text = "\nLAUNCHES\n";
  for (std::size_t i = 0; i < std::min(result.launches.size(), listed_launches); ++i) {
    const LaunchStatistics& launch = result.launches[i].statistics;
    const std::optional<MergedLaunches>& merged = result.launches[i].merged;
    const std::string what =
        merged && merged->count > 1 ? fmt::format("sum of {} launches", grouped(merged->count)) : shape(launch);
    const std::string time = launch.timed
                                 ? fmt::format("{:>14} cycles  {:>12}", grouped(result.launches[i].cycles().count()),
                                               milliseconds(ms_of(result.launches[i].time())))
                                 : grouped(launch.warp_instructions) + " warp instructions";
    text += fmt::format("  {:>2}  {} {} {}\n", result.number_of(i), padded(shortened(launch.kernel, 22), 22),
                        padded(shortened(what, 30), 30), time);
  }
  if (result.launches.size() > listed_launches) {
    text += fmt::format("      … and {} more in stats.json\n", result.launches.size() - listed_launches);
  }
  return text;
}

/// What the launch made of it: averages over all SMs from its first to its last cycle.
std::string achieved(const LaunchStatistics& launch) {
  if (!launch.timed || launch.slots.sum() == 0) return "";
  const double warps = static_cast<double>(launch.warp_cycles.sum()) / static_cast<double>(launch.slots.sum());
  const auto busy = std::count_if(launch.sms.begin(), launch.sms.end(),
                                  [](const SmStatistics& sm) { return sm.blocks + sm.resident_warp_cycles != 0; });
  return section("", fmt::format("achieved {:.1f} warps/SM ({}): {} of {} SMs had blocks", warps,
                                 percent(warps, launch.occupancy.max_warps), busy, launch.sms.size()));
}

std::string occupancy_section(const LaunchStatistics& launch, const MachineFacts& machine) {
  const Occupancy& occupancy = launch.occupancy;
  const double room = static_cast<double>(occupancy.ctas_per_sm) * machine.sms;
  const double waves = room > 0.0 ? static_cast<double>(launch.ctas_total) / room : 0.0;
  return section("OCCUPANCY",
                 fmt::format("possible {} of {} warps/SM ({:.0f} %), limited by {} ({} blocks × {})    {:.1f} waves",
                             occupancy.warps, occupancy.max_warps,
                             occupancy.max_warps == 0 ? 0.0 : 100.0 * occupancy.warps / occupancy.max_warps,
                             occupancy.limiter, occupancy.ctas_per_sm,
                             launch.block[0] * launch.block[1] * launch.block[2], waves)) +
         achieved(launch);
}

std::string speed_section(const LaunchStatistics& launch, const MachineFacts& machine) {
  const auto slots = static_cast<double>(launch.slots.sum());
  const double used = static_cast<double>(launch.slots[SlotReason::issued]);
  const double passes = static_cast<double>(launch.shared.accesses + launch.shared.replays);
  double bytes = 0.0;
  for (const PartitionStatistics& partition : launch.partitions) {
    bytes += static_cast<double>(partition.read_bytes + partition.write_bytes);
  }
  const double gbs = launch.duration == 0 ? 0.0 : bytes / (static_cast<double>(launch.duration) * 1e-6);
  const auto busy = [&launch, slots](std::size_t unit) {
    return percent(static_cast<double>(launch.unit_busy_cycles[unit]), slots);
  };
  const std::string line =
      fmt::format("issue {}  SP {}  SFU {}  shared {}  DRAM {} ({:.1f} of {:.1f} GB/s)", percent(used, slots), busy(0),
                  busy(1), percent(passes, slots), percent(gbs, machine.peak_gbs_dram), gbs, machine.peak_gbs_dram);
  return "SPEED OF LIGHT  " + line + '\n';
}

std::string hot_spots_section(const LaunchResult& launch) {
  const std::vector<HotSpot> spots = hot_spots(launch.statistics, listed_hot_spots);
  if (spots.empty()) return "";
  const auto total = static_cast<double>(launch.statistics.slots.sum());
  std::string text = "\nHOT SPOTS\n  pc      " + padded("instruction", listing_width) + "  slots   why\n";
  for (const HotSpot& spot : spots) {
    if (spot.index >= launch.listing.size()) continue;
    const ListingLine& line = launch.listing[spot.index];
    text +=
        fmt::format("  0x{:04x}  {} {:>7}  {}\n", line.pc, padded(shortened(line.text, listing_width), listing_width),
                    percent(static_cast<double>(spot.slots), total), shortened(spot.why, why_width));
  }
  return text;
}

/// SIMD efficiency: lanes that were active, over the lanes of all warp instructions.
std::string executed_section(const LaunchStatistics& launch) {
  constexpr double warp_lanes = 32.0;
  const auto warps = static_cast<double>(launch.warp_instructions), lanes = static_cast<double>(launch.active_lane_sum);
  return section("EXECUTED", fmt::format("{} warp instructions, SIMD efficiency {} ({:.1f} of 32 lanes active)",
                                         grouped(launch.warp_instructions), percent(lanes, warp_lanes * warps),
                                         warps == 0.0 ? 0.0 : lanes / warps));
}

std::string counts_section(const LaunchStatistics& launch) {
  return section("", fmt::format("{} thread instructions", grouped(launch.thread_instructions))) +
         section("", fmt::format("{} branches ({} divergent), {} bank-conflict replays in {} half-warp accesses",
                                 grouped(launch.branches), grouped(launch.divergent_branches),
                                 grouped(launch.shared.replays), grouped(launch.shared.accesses)));
}

std::string models_section(const Result& result) {
  constexpr std::string_view gap = "   ";
  std::string lines;
  std::size_t used = 0;
  for (const std::string& entry : prediction_entries(predictions_of(result))) {
    const bool fits = used + gap.size() + columns(entry) <= summary_width - label_width;
    if (used != 0) lines += fits ? std::string(gap) : '\n' + std::string(label_width, ' ');
    used = columns(entry) + (used != 0 && fits ? used + gap.size() : 0);
    lines += entry;
  }
  return lines.empty() ? "" : section("MODELS", lines);
}

std::string hint_section(const LaunchStatistics& launch) {
  const Hint hint = best_hint(launch);
  if (hint.text.empty()) return "";
  const std::string text = percent(hint.share, 1.0) + " of slots: " + std::string(hint.text);
  return section("HINT", wrapped(text, summary_width - label_width, label_width)) +
         section("", fmt::format("→ teslasim explain {}", hint.topic));
}

std::string footer(const Result& result) {
  const double speed =
      result.host.seconds > 0.0 ? static_cast<double>(result.warp_instructions()) / result.host.seconds : 0.0;
  std::string digest = digest_groups(result.digest);
  if (!result.run_directory.empty()) {
    const bool fits = label_width + columns(digest) + 13 + columns(result.run_directory) <= summary_width;
    digest += (fits ? "      files: " : "\n  files: ") + result.run_directory;
  }
  return section("HOST", fmt::format("{:.2f} s, {} warp-instr/s, {:.0f} MB", result.host.seconds, with_prefix(speed),
                                     result.host.rss_mb)) +
         section("DIGEST", digest);
}

/// Which launches the numbers are of: some are of the whole run, the details of one kernel.
std::string scope_text(const Result& result, const LaunchResult& shown) {
  const std::string& kernel = shown.statistics.kernel;
  const std::uint64_t all = result.launches_run(), count = shown.merged ? shown.merged->count : 1;
  if (all < 2) return "";
  std::string text = count > 1 ? fmt::format(" of the {} launches of {}; their sum follows", grouped(count), kernel)
                               : fmt::format(" of the longest launch, {}; its details follow", kernel);
  if (count < all && result.timed())
    text += fmt::format("\n  times in RESULT, LAUNCH and MODELS are of all {} launches", grouped(all));
  return text;
}

const LaunchResult& longest(const Result& result) {
  return *std::max_element(result.launches.begin(), result.launches.end(), [](const auto& left, const auto& right) {
    const auto key = [](const LaunchResult& launch) {
      return std::pair{launch.time(), launch.statistics.warp_instructions};
    };
    return key(left) < key(right);
  });
}

}  // namespace

std::string summary(const Result& result, Bars bars) {
  if (result.launches.empty()) return result.name + ": nothing was simulated\n";
  const LaunchResult& shown = longest(result);
  const LaunchStatistics& launch = shown.statistics;
  std::string text = heading(result);
  text += fmt::format("  done {}/{} blocks", shown.blocks_done(), shown.blocks());
  text += scope_text(result, shown);
  text += "\n\n" + result_section(result) + labels_section(result) + overhead_section(result) +
          occupancy_section(launch, result.machine) + executed_section(launch);
  if (launch.timed) {
    text += speed_section(launch, result.machine) + launches_section(result) + slot_table(launch, bars) +
            hot_spots_section(shown) + '\n' + models_section(result) + hint_section(launch);
  } else {
    text += counts_section(launch) + launches_section(result) + '\n';
  }
  return text + footer(result);
}

}  // namespace teslasim
