// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/launch_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/csv.h"
#include "sim/base/json_text.h"
#include "sim/report/result/result.h"
#include "sim/report/text/format.h"

namespace teslasim::cudart {
namespace {

std::string shape(const std::array<std::uint32_t, 3>& extents) {
  return fmt::format("{}x{}x{}", extents[0], extents[1], extents[2]);
}

std::uint64_t moved_bytes(const LaunchStatistics& launch) {
  std::uint64_t bytes = 0;
  for (const PartitionStatistics& partition : launch.partitions) bytes += partition.read_bytes + partition.write_bytes;
  return bytes;
}

std::string issued_percent(const LaunchStatistics& launch) {
  const auto slots = static_cast<double>(launch.slots.sum());
  return slots > 0.0 ? fmt::format("{:.4f}", 100.0 * static_cast<double>(launch.slots[SlotReason::issued]) / slots)
                     : "";
}

/// "extrapolated": from other launches; "sampled": from some of its blocks.
std::string mode_of(const LaunchFacts& facts, const LaunchStatistics& launch) {
  if (facts.sample) return "sampled";
  if (facts.bound) return "extrapolated";
  return launch.timed ? "timing" : "functional";
}

}  // namespace

double milliseconds_of(Femtoseconds time) {
  constexpr double femtoseconds_per_ms = 1e12;
  return static_cast<double>(time.count()) / femtoseconds_per_ms;
}

std::string largest_stalls(const LaunchStatistics& statistics, std::size_t count) {
  std::vector<std::pair<std::uint64_t, std::string_view>> reasons;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    const auto reason = static_cast<SlotReason>(i);
    if (reason != SlotReason::issued && statistics.slots[reason] != 0)
      reasons.emplace_back(statistics.slots[reason], info(reason).name);
  }
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const auto all = static_cast<double>(statistics.slots.sum());
  std::string text;
  for (std::size_t i = 0; i < std::min(count, reasons.size()); ++i)
    text += fmt::format("{}{} {:.1f} %", i == 0 ? "" : ", ", reasons[i].second,
                        100.0 * static_cast<double>(reasons[i].first) / all);
  return text;
}

std::vector<LaunchCell> launch_cells(const LaunchFacts& facts, const LaunchStatistics& launch) {
  constexpr bool text = true;
  constexpr std::size_t stalls = 3;
  const auto timed = [&launch](std::string value) { return launch.timed ? std::move(value) : std::string(); };
  return {
      {"launch", std::to_string(facts.number)},
      {"kernel", launch.kernel, text},
      {"site", facts.site, text},
      {"grid", shape(launch.grid), text},
      {"block", shape(launch.block), text},
      {"registers", std::to_string(facts.registers)},
      {"shared_bytes", std::to_string(facts.shared_bytes)},
      {"mode", mode_of(facts, launch), text},
      {"status", std::string(name_of(launch.status)), text},
      {"start_ms", fmt::format("{}", milliseconds_of(facts.span.start))},
      {"ms", fmt::format("{}", milliseconds_of(facts.span.end - facts.span.start))},
      {"bound_ms", facts.bound ? fmt::format("{}", milliseconds_of(*facts.bound)) : ""},
      {"timed_blocks", timed(std::to_string(launch.ctas_done))},
      {"function_warp_instructions", facts.sample ? std::to_string(facts.sample->function_warp_instructions) : ""},
      {"cycles", timed(std::to_string(launch.shader_cycles.count()))},
      {"warp_instructions", std::to_string(launch.warp_instructions)},
      {"thread_instructions", std::to_string(launch.thread_instructions)},
      {"blocks_per_sm", std::to_string(launch.occupancy.ctas_per_sm)},
      {"occupancy_limiter", launch.occupancy.limiter, text},
      {"issued_pct", timed(issued_percent(launch))},
      {"limiter", timed(largest_stalls(launch, 1)), text},
      {"stalls", timed(largest_stalls(launch, stalls)), text},
      {"dram_bytes", timed(std::to_string(moved_bytes(launch)))},
      {"digest", digest_text(facts.digest), text},
  };
}

std::string launch_csv_header() {
  std::vector<std::string> names;
  for (const LaunchCell& cell : launch_cells({}, {})) names.emplace_back(cell.column);
  return csv_row(names);
}

std::string launch_csv_row(const std::vector<LaunchCell>& cells) {
  std::vector<std::string> values;
  for (const LaunchCell& cell : cells) values.push_back(cell.value);
  return csv_row(values);
}

std::string launch_json(const std::vector<LaunchCell>& cells) {
  nlohmann::ordered_json json;
  for (const LaunchCell& cell : cells) {
    if (cell.text)
      json[cell.column] = cell.value;
    else
      json[cell.column] = cell.value.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json::parse(cell.value);
  }
  return json_text(json);
}

}  // namespace teslasim::cudart
