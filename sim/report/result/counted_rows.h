// SPDX-License-Identifier: Apache-2.0
// What the tables beside the structures of counters (`fields`) say, for reports: values with their paths, and the
// meaning of each row.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/launch_statistics.h"
#include "sim/report/result/statistic_table.h"
#include "sim/report/result/statistic_writer.h"

namespace teslasim {

/// The counters of a launch. Reports take them section by section, so that ratios stand beside what they are made of.
class CountedRows {
 public:
  explicit CountedRows(const LaunchStatistics& launch);
  /// Writes those below a section ("caches/constant_l1/") that were not written yet.
  void write(StatisticWriter out, std::string_view section);
  /// For what a report writes in another form.
  void leave_out(std::string_view section);
  /// Writes those of sections that nobody asked for.
  void write_rest(const StatisticWriter& out) { write(out, ""); }

 private:
  std::vector<Statistic> rows_;
  std::vector<bool> written_;
};

/// The counters of one SM or partition, all of them. `timed`: of a launch with time.
[[nodiscard]] std::vector<Statistic> counted_rows(const SmStatistics& sm, bool timed);
[[nodiscard]] std::vector<Statistic> counted_rows(const PartitionStatistics& partition, bool timed);

/// The meaning of every counted row of a launch, its SMs and partitions; paths with dots.
[[nodiscard]] std::vector<StatisticInfo> counted_row_texts();

}  // namespace teslasim
