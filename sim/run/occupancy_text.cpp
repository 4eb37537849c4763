// SPDX-License-Identifier: Apache-2.0
#include "sim/run/occupancy_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/gpu/machine/occupancy.h"
#include "sim/report/text/format.h"
#include "sim/run/device_launch.h"

namespace teslasim {
namespace {

std::string limits_table(const OccupancyReport& report) {
  std::string text = fmt::format("  {:<10}{:>12}{:>14}{:>10}\n", "resource", "per SM", "per block", "blocks");
  for (const OccupancyLimit& limit : report.limits) {
    const std::string blocks = limit.per_block == 0 ? "-" : std::to_string(limit.blocks);
    text += fmt::format("  {:<10}{:>12}{:>14}{:>10}{}\n", limit.name, limit.available, limit.per_block, blocks,
                        limit.limits ? "   <- limits" : "");
  }
  return text;
}

std::string next_step(const OccupancyReport& report) {
  const OccupancyStep& next = report.next;
  if (report.occupancy.warps != 0 && next.warps <= report.occupancy.warps) {
    return fmt::format("next step: none: {} smaller blocks would hold no more warps\n", next.blocks);
  }
  std::string text = fmt::format("next step: {} blocks ({} warps) per SM", next.blocks, next.warps);
  if (!next.possible) text += ", out of reach";
  text += next.needs.empty() ? "\n" : " needs\n";
  for (const std::string& need : next.needs) text += "  - " + need + "\n";
  return text;
}

}  // namespace

std::string occupancy_text(const LaunchSpec& launch, const MachineSpec& machine) {
  const OccupancyReport report = explain_occupancy(machine, occupancy_demand(launch));
  const Occupancy& occupancy = report.occupancy;
  const double share = occupancy.max_warps == 0 ? 0.0 : 100.0 * occupancy.warps / occupancy.max_warps;
  const double room = static_cast<double>(occupancy.ctas_per_sm) * machine.sms();
  std::string text = fmt::format("{} on {}: {} of {} warps per SM ({:.0f} %), {} blocks of {} warps, limited by {}\n",
                                 launch.kernel, machine.name, occupancy.warps, occupancy.max_warps, share,
                                 occupancy.ctas_per_sm, report.warps_per_block, occupancy.limiter);
  text += limits_table(report) + next_step(report);
  if (room > 0.0) {
    const double blocks = static_cast<double>(launch.blocks());
    const double warps = std::min(blocks, room) * report.warps_per_block / machine.sms();
    text += fmt::format("grid: {} blocks = {:.1f} waves of {:.0f}\n", grouped(launch.blocks()), blocks / room, room);
    text += fmt::format("at most {:.1f} of {} warps per SM ({}) at a time, on average over {} SMs{}\n", warps,
                        occupancy.max_warps, percent(warps, occupancy.max_warps), machine.sms(),
                        blocks < machine.sms() ? ", of which some get no block" : "");
  }
  return text;
}

}  // namespace teslasim
