// SPDX-License-Identifier: Apache-2.0
// How evenly the memory partitions worked at each moment, and how long memory worked when no block was left.
#pragma once

#include <optional>

#include "sim/base/launch_statistics.h"

namespace teslasim {

/// From the series over time: sums over a launch are even although each moment was not, as when the columns of a matrix
/// are read one after the other.
struct QueueBalance {
  double camping_pct = 0.0;   ///< 0: all partitions have equally many transactions; 100: one of them has all
  double fullest_mean = 0.0;  ///< transactions in the partition that has most, in an average memory cycle
};

/// Nothing where no series was recorded, where the memory model has its own account, or when no transaction came.
[[nodiscard]] std::optional<QueueBalance> queue_balance(const LaunchStatistics& launch);

/// Percent of the memory cycles in which the ROP unit of the busiest partition was busy with atomic operations.
[[nodiscard]] double atomics_pct(const LaunchStatistics& launch);

/// SM cycles at the end in which no SM had a block any more: accesses were under way.
[[nodiscard]] SmCycle drain_cycles(const LaunchStatistics& launch);

}  // namespace teslasim
