// SPDX-License-Identifier: Apache-2.0
// Where the slots of a launch went over time: what intervals.csv is written from.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/interval_series.h"
#include "sim/base/slot_reason.h"

namespace teslasim {

/// Columns of the series of an SM: issue slots by reason (view A), then warp cycles.
inline constexpr unsigned interval_active = slot_reason_count;        ///< warps resident, summed over cycles
inline constexpr unsigned interval_eligible = slot_reason_count + 1;  ///< warps that issued or could have
inline constexpr unsigned interval_columns = slot_reason_count + 2;

/// Columns of the series of the memory side; behind them two for each partition.
inline constexpr unsigned interval_read_bytes = 0;
inline constexpr unsigned interval_write_bytes = 1;
inline constexpr unsigned interval_row_hits = 2;
inline constexpr unsigned interval_noc_requests = 3;  ///< waiting in the crossbar, summed over SM cycles
inline constexpr unsigned interval_noc_replies = 4;   ///< the same on the way back
inline constexpr unsigned interval_memory_columns = 5;
inline constexpr unsigned interval_partition_columns = 2;  ///< bytes; queue, summed over memory cycles

/// Empty when intervals were not recorded. Times are SM cycles.
struct IntervalStatistics {
  static constexpr std::size_t most_rows = 2048;  ///< of a launch, over all series of SMs

  IntervalSeries gpu;               ///< the sum over the SMs
  std::vector<IntervalSeries> sms;  ///< one per SM, wider intervals; empty on a GPU with one SM
  IntervalSeries memory;            ///< intervals of the width of `gpu`

  [[nodiscard]] bool recorded() const { return gpu.recorded(); }
  /// Intervals of the whole GPU: all rows, or half of them when every SM gets rows of its own.
  [[nodiscard]] static constexpr std::size_t gpu_rows(std::size_t sms) { return sms == 1 ? most_rows : most_rows / 2; }
  /// Intervals of each SM, a power of two: as many as share the other half.
  [[nodiscard]] static constexpr std::size_t sm_rows(std::size_t sms) {
    std::size_t rows = 1;
    while (2 * rows * sms <= most_rows / 2) rows *= 2;
    return rows;
  }
};

}  // namespace teslasim
