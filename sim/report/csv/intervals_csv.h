// SPDX-License-Identifier: Apache-2.0
// The time series of a run as a table: intervals.csv.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/slot_reason.h"
#include "sim/report/result/result.h"

namespace teslasim {

/// What memory did in an interval.
struct IntervalMemory {
  std::uint64_t read_bytes = 0, write_bytes = 0, row_hits = 0;
  double requests = 0.0, replies = 0.0;   ///< in the crossbar, on average; `requests` are both
  std::vector<std::uint64_t> partitions;  ///< bytes and queue of each
};

/// An interval of the whole GPU or of one SM. SP cycles.
struct IntervalRow {
  std::uint64_t launch = 0;
  SpCycle begin = 0, end = 0;
  std::optional<std::uint64_t> sm;  ///< nothing: the whole GPU
  PerReason<> slots;
  double active_warps = 0.0, eligible_warps = 0.0;  ///< averages per SM
  std::optional<IntervalMemory> memory;             ///< of the whole GPU only
};

/// The intervals of the whole GPU and, on a GPU with several SMs, the wider ones of each SM; at most 2,048 rows per
/// launch.
[[nodiscard]] std::vector<IntervalRow> interval_rows(const Result& result);
/// intervals.csv: one line per row. sm = -1 is the whole GPU; slots are integers that sum to those of stats.json; what
/// an SM's line cannot say (DRAM, crossbar) is empty.
[[nodiscard]] std::string intervals_csv(const Result& result);
[[nodiscard]] std::vector<IntervalRow> read_intervals_csv(const std::string& text);

}  // namespace teslasim
