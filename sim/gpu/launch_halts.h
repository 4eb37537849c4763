// SPDX-License-Identifier: Apache-2.0
// Shows a launch that halts between two cycles to the stepper that wants to look.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/exec/run_control.h"
#include "sim/gpu/launch_stepper.h"

namespace teslasim {

class Gpu;

class LaunchHalts {
 public:
  /// Null: nobody wants to look, and nothing is done.
  void serve(LaunchStepper* stepper) { stepper_ = stepper; }
  [[nodiscard]] bool wanted() const { return stepper_ != nullptr; }
  [[nodiscard]] SmObserver* observe(SmIndex sm) const { return wanted() ? stepper_->observe(sm) : nullptr; }
  /// `blocks` run of the launch; all outlive it.
  void begin(Gpu& gpu, const Launch& launch, const std::vector<std::unique_ptr<WarpStream>>& streams,
             std::uint64_t blocks);
  /// Where the stretch that begins now ends; nothing: the launch does.
  [[nodiscard]] std::optional<Femtoseconds> next(Gpu& gpu, const std::vector<Diagnostic>& failure);
  /// The launch is over, but for what is counted at its end.
  void ended(Gpu& gpu, const LaunchOutcome& outcome);

 private:
  void look(Gpu& gpu);

  LaunchStepper* stepper_ = nullptr;
  HaltedLaunch view_;
};

}  // namespace teslasim
