// SPDX-License-Identifier: Apache-2.0
// launches.csv: one row per launch, appended while the run goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "sim/base/block_sample.h"
#include "sim/base/launch_statistics.h"

namespace teslasim {

class LaunchTable {
 public:
  explicit LaunchTable(std::string path);
  ~LaunchTable();
  LaunchTable(const LaunchTable&) = delete;
  LaunchTable& operator=(const LaunchTable&) = delete;

  /// `digest` is over the launch's counters alone. Rows reach the file within a second.
  /// `sample`: null for a launch that ran whole.
  void add(std::uint64_t number, const LaunchStatistics& launch, const BlockSample* sample, RunStatus status,
           std::uint64_t digest);
  void finish();
  /// In a copy of the process: rows that wait are the original's to write.
  void forget() { waiting_.clear(); }
  /// Why rows are missing, or "": no reason to stop a run.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  using Clock = std::chrono::steady_clock;
  void write_out();

  std::string path_, waiting_, problem_;
  int file_ = -1;
  Clock::time_point written_;
};

}  // namespace teslasim
