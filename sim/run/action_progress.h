// SPDX-License-Identifier: Apache-2.0
// Progress of what takes long and is no run: reading, converting, verifying traces.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "sim/run/console.h"

namespace teslasim {

/// The user stopped an action.
struct Interrupted {
  int signal = 0;
};

/// A progress line on stderr with the time that is left; throws Interrupted after Ctrl-C or SIGTERM.
class ActionProgress {
 public:
  ActionProgress(std::string action, ProgressStyle style, std::uint64_t total);
  ~ActionProgress();
  ActionProgress(const ActionProgress&) = delete;
  ActionProgress& operator=(const ActionProgress&) = delete;
  void look(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  std::string action_;
  ProgressStyle style_;
  std::uint64_t total_;
  Clock::time_point start_, shown_;
  bool line_open_ = false;
};

}  // namespace teslasim
