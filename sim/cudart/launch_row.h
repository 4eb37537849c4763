// SPDX-License-Identifier: Apache-2.0
// One launch of a program in its tables: launches.csv and launches.json have the same columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/block_sample.h"
#include "sim/base/launch_statistics.h"
#include "sim/cudart/device_clock.h"

namespace teslasim::cudart {

struct LaunchFacts {
  std::uint64_t number = 0;
  std::string site;  ///< "main.cu:41", or ""
  unsigned registers = 0;
  std::uint32_t shared_bytes = 0;
  TimeSpan span{};                      ///< simulated, since the program began
  std::optional<Femtoseconds> bound{};  ///< set: the time is extrapolated, within this bound
  std::optional<BlockSample> sample{};  ///< set: from some of its blocks, of which the counters are
  std::uint64_t digest = 0;
};

/// A value and what it is: texts are quoted in JSON.
struct LaunchCell {
  const char* column;
  std::string value;
  bool text = false;
};

[[nodiscard]] std::vector<LaunchCell> launch_cells(const LaunchFacts& facts, const LaunchStatistics& statistics);
[[nodiscard]] std::string launch_csv_header();
[[nodiscard]] std::string launch_csv_row(const std::vector<LaunchCell>& cells);
[[nodiscard]] std::string launch_json(const std::vector<LaunchCell>& cells);
/// "mem.global 41.3 %, barrier 12.0 %": where the issue slots went that issued nothing; "" without time.
[[nodiscard]] std::string largest_stalls(const LaunchStatistics& statistics, std::size_t count);
[[nodiscard]] double milliseconds_of(Femtoseconds time);

}  // namespace teslasim::cudart
