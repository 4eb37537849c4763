// SPDX-License-Identifier: Apache-2.0
// What ends a kernel that does not end by itself: limits of the user, the watchdog of the board, Ctrl-C.
//
// The watchdog stands for that of the system, which resets a board when a kernel keeps it from its display for too
// long. It counts simulated time. Without time it counts, for each block, the cycles in which the SM would issue the
// block's instructions one after the other, which is the least that the block can take.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "sim/base/launch_statistics.h"
#include "sim/cudart/board_spec.h"
#include "sim/cudart/control.h"
#include "sim/exec/run_control.h"
#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim::cudart {

class LaunchLimits {
 public:
  /// `name`: the launch in words, for what is said while it runs.
  LaunchLimits(const Control& control, const BoardSpec& board, const MachineSpec& machine, Mode mode, std::string name);
  LaunchLimits(const LaunchLimits&) = delete;
  LaunchLimits& operator=(const LaunchLimits&) = delete;

  /// Refers to this object.
  [[nodiscard]] RunControl run_control();
  /// Why a launch with the status `limit` or `interrupted` was stopped, in words.
  [[nodiscard]] std::string reason(RunStatus status) const;
  /// What can be done about it.
  [[nodiscard]] std::string help(RunStatus status) const;

 private:
  enum class Stop : std::uint8_t { none, signal, seconds, watchdog };

  [[nodiscard]] Stop look(const Progress& progress);
  [[nodiscard]] bool is_watchdog(RunStatus status) const;
  void tell(const Progress& progress);

  const Control& control_;
  Mode mode_;
  std::string name_;
  double watchdog_seconds_;
  std::uint64_t watchdog_cycles_, watchdog_instructions_;
  std::chrono::steady_clock::time_point start_, next_telling_;
  std::uint64_t blocks_ = 0, before_block_ = 0;
  Progress last_{};
  Stop stop_ = Stop::none;
};

}  // namespace teslasim::cudart
