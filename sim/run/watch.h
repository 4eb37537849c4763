// SPDX-License-Identifier: Apache-2.0
// Looks at a running simulation from outside: signals, wall-time limit, progress on stderr, status.json.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/exec/run_control.h"
#include "sim/run/console.h"
#include "sim/run/process_copies.h"
#include "sim/run/run_status.h"

namespace teslasim {

/// Sees every moment at which the watch looks: in the thread that simulates, between two steps of the simulation. It
/// may make a copy of the process and says in which of the two it is; in the copy the watch shows and writes nothing.
using Onlooker = std::function<ProcessSide(const Moment&)>;

struct WatchOptions {
  ProgressStyle style = ProgressStyle::none;
  double max_seconds = 0.0;          ///< 0 = none
  double max_rss_mb = 0.0;           ///< resident memory of this process; 0 = no limit
  std::string status_file;           ///< empty = none
  std::vector<std::string> kernels;  ///< names of the launches
  Onlooker onlooker{};               ///< empty: none
};

/// A limit of the host's ended a command, and that is an error: of time with --limit-is-error, of memory always.
[[nodiscard]] Diagnostic time_limit_error(double max_seconds);
[[nodiscard]] Diagnostic memory_limit_error(double max_rss_mb);

class Watch {
 public:
  enum class StopReason : std::uint8_t { none, signal, wall_time, memory };

  explicit Watch(WatchOptions options);
  /// Called by the models. Cheap when nothing is due.
  Verdict look(std::size_t launch, const Progress& progress);
  /// The last counts of a launch, which no look may have seen: a status that is written next has them.
  void launch_ended(std::size_t launch, const LaunchStatistics& statistics);
  /// Ends the progress display and writes the last status.
  void finish(std::string_view status);
  [[nodiscard]] StopReason stop_reason() const { return stop_reason_; }
  /// Why the last status could not be written, or "": no reason to stop.
  [[nodiscard]] const std::string& status_problem() const { return status_problem_; }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] Moment moment(std::size_t launch, const Progress& progress) const;
  void fall_silent();
  void show(const Moment& moment);
  void write_status(std::string_view phase);

  WatchOptions options_;
  Clock::time_point start_, launch_start_, last_shown_, last_status_;
  std::size_t launch_ = 0;
  bool line_open_ = false;
  StopReason stop_reason_ = StopReason::none;
  std::string status_problem_;
  Moment last_;
  RecentIntervals intervals_;
};

}  // namespace teslasim
