// SPDX-License-Identifier: Apache-2.0
// Somebody who runs a launch in stretches and looks at the machine in between: what a debugger implements.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/launch_statistics.h"
#include "sim/exec/launch.h"
#include "sim/exec/warp_stream.h"
#include "sim/sm/sm.h"

namespace teslasim {

/// A launch that halts between two SM cycles, to be looked at. Valid while the launch is under way.
struct HaltedLaunch {
  const Launch* launch = nullptr;
  std::vector<const Sm*> sms;
  std::vector<const WarpStream*> streams;  ///< one per SM
  std::uint64_t blocks = 0;                ///< that run
  SmCycle now = 0;                         ///< all SM cycles before it have been run, and none from it on
  SmCycle next = 0;                        ///< nothing happens before it; `never`: nothing happens any more
  std::vector<Diagnostic> failure{};       ///< a kernel error that has happened: little runs behind it
};

class LaunchStepper {
 public:
  virtual ~LaunchStepper() = default;
  /// Told what SM `sm` does in the next launch; null: nothing is to be told. It outlives the launch.
  [[nodiscard]] virtual SmObserver* observe(SmIndex sm) = 0;
  /// A launch is about to begin.
  virtual void begin(const HaltedLaunch& launch) = 0;
  /// The launch halts: before its first cycle, and behind each stretch. The next stretch is all cycles before the one
  /// returned (`never`: to the end of the launch); nothing: the launch ends here, interrupted.
  [[nodiscard]] virtual std::optional<SmCycle> halted(const HaltedLaunch& launch) = 0;
  /// The launch ran to its end, or can go no further, for `errors`; what it stands at can still be looked at.
  virtual void ended(const HaltedLaunch& launch, RunStatus status, const std::vector<Diagnostic>& errors) = 0;
};

}  // namespace teslasim
