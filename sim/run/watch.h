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

namespace teslasim {

struct Moment;

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

/// Numbers of a moment, for the progress line and status.json.
struct Moment {
  std::size_t launch = 0, launches = 1;
  std::string kernel;
  Progress progress;
  double seconds = 0.0;           ///< since the run began
  double warp_instr_per_s = 0.0;  ///< over the current launch
  double eta_seconds = -1.0;      ///< of the current launch; negative = unknown
};

/// "reduce1  1234/4096 blocks  30 %  2.1 s  0.40 M warp-instr/s  ETA 0:05", at most 100 columns.
[[nodiscard]] std::string progress_line(const Moment& moment);
[[nodiscard]] std::string progress_json(const Moment& moment);
[[nodiscard]] std::string status_json(const Moment& moment, std::string_view phase);

/// A limit of the host's ended a command, and that is an error: of time with --limit-is-error, of memory always.
[[nodiscard]] Diagnostic time_limit_error(double max_seconds);
[[nodiscard]] Diagnostic memory_limit_error(double max_rss_mb);

class Watch {
 public:
  enum class StopReason : std::uint8_t { none, signal, wall_time, memory };

  explicit Watch(WatchOptions options);
  /// Called by the models. Cheap when nothing is due.
  Verdict look(std::size_t launch, const Progress& progress);
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
};

}  // namespace teslasim
