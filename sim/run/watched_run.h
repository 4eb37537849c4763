// SPDX-License-Identifier: Apache-2.0
// Runs a prepared workload under a Watch that knows its kernels, with Ctrl-C caught: what all commands that simulate
// do.
#pragma once

#include "sim/run/watch.h"
#include "sim/run/workload_run.h"

namespace teslasim {

class WatchedRun {
 public:
  /// The names of the kernels in `options` are filled in from `prepared`.
  WatchedRun(const PreparedRun& prepared, WatchOptions options);
  /// Runs all launches. The display ends with the status of the run; with "failed" when it throws.
  [[nodiscard]] RunOutcome run(WorkloadRun& simulation);
  /// For those who listen to the ends of launches; `sample`: its statistics are those of a part.
  void launch_ended(std::size_t launch, const LaunchStatistics& statistics, const BlockSample* sample) {
    if (sample == nullptr) watch_.launch_ended(launch, statistics);
  }
  [[nodiscard]] Watch::StopReason stop_reason() const { return watch_.stop_reason(); }
  [[nodiscard]] const std::string& status_problem() const { return watch_.status_problem(); }
  /// Whether the limit of wall time stopped it.
  [[nodiscard]] bool out_of_time() const { return stop_reason() == Watch::StopReason::wall_time; }
  /// A run stopped by its limit of wall time or memory is "limit", not "interrupted".
  [[nodiscard]] RunStatus status_of(const RunOutcome& outcome) const { return status_of(outcome.result.status); }
  [[nodiscard]] RunStatus status_of(RunStatus status) const;

 private:
  Watch watch_;
};

/// With nothing but a progress line.
[[nodiscard]] RunOutcome run_watched(const PreparedRun& prepared, WorkloadRun& simulation, ProgressStyle style);

}  // namespace teslasim
