// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/result.h"

#include <algorithm>

namespace teslasim {

std::uint64_t LaunchResult::blocks() const {
  if (!sample) return statistics.ctas_total;
  if (merged) return blocks_done();
  return std::uint64_t{statistics.grid[0]} * statistics.grid[1] * statistics.grid[2];
}

std::uint64_t Result::warp_instructions() const {
  std::uint64_t total = 0;
  for (const LaunchResult& launch : launches) {
    total += launch.statistics.warp_instructions;
    if (launch.sample) total += launch.sample->function_warp_instructions;
  }
  return total;
}

std::uint64_t Result::launches_run() const {
  std::uint64_t total = 0;
  for (const LaunchResult& launch : launches) total += launch.merged ? launch.merged->count : 1;
  return total;
}

std::uint64_t Result::outputs_checked() const {
  std::uint64_t total = 0;
  for (const LaunchResult& launch : launches) total += launch.outputs ? launch.outputs->size() : 0;
  return total;
}

bool Result::outputs_ok() const {
  return std::all_of(launches.begin(), launches.end(), [](const LaunchResult& launch) {
    return !launch.outputs || std::all_of(launch.outputs->begin(), launch.outputs->end(),
                                          [](const OutputCheck& check) { return check.ok; });
  });
}

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::ok:
      return "ok";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::stuck:
      return "stuck";
    case RunStatus::kernel_error:
      return "kernel_error";
    case RunStatus::limit:
      return "limit";
  }
  return "ok";
}

}  // namespace teslasim
