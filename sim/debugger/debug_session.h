// SPDX-License-Identifier: Apache-2.0
// A session of the debugger: reads commands while the launch halts, and says how far it goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/debugger/commands/command_source.h"
#include "sim/debugger/inspector.h"
#include "sim/debugger/sm_events.h"
#include "sim/debugger/stops/stop_list.h"
#include "sim/gpu/launch_stepper.h"
#include "sim/run/console.h"
#include "sim/run/workload_run.h"

namespace teslasim {

class DebugSession final : public LaunchStepper {
 public:
  /// All outlive it. `paint`: of messages.
  DebugSession(const PreparedRun& prepared, WorkloadRun& run, CommandSource& source, Paint paint);

  [[nodiscard]] SmObserver* observe(SmIndex sm) override { return &events_.at(sm); }
  void begin(const HaltedLaunch& launch) override;
  [[nodiscard]] std::optional<SmCycle> halted(const HaltedLaunch& launch) override;
  void ended(const HaltedLaunch& launch, RunStatus status, const std::vector<Diagnostic>& errors) override;
  /// What was counted of the launch that has ended.
  void counted(const LaunchStatistics& launch);
  /// All launches are over: says so, and answers what can still be asked.
  void over(const RunOutcome& outcome);

  /// The user left before the run was over.
  [[nodiscard]] bool left() const { return left_; }
  /// A command could not be done.
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  enum class Going : std::uint8_t { halted, run, issue, cycle, warp, finish };

  /// Whether the launch is to stop where it halts, which is then said.
  bool stops(const HaltedLaunch& launch);
  bool found_stop(const HaltedLaunch& launch);
  [[nodiscard]] bool step_is_done(const HaltedLaunch& launch) const;
  void tell_step(const HaltedLaunch& launch);
  void tell_failure(const std::vector<Diagnostic>& errors);
  [[nodiscard]] SmCycle next_halt(const HaltedLaunch& launch);
  /// Commands until one goes on; nothing: the session is over.
  std::optional<SmCycle> converse(const HaltedLaunch* launch);
  std::optional<DebugCommand> next_command();
  /// Whether the launch goes on.
  bool obey(const DebugCommand& command, const HaltedLaunch* launch);
  bool go(const DebugCommand& command, const HaltedLaunch& launch);
  void set_steps(const DebugCommand& command, const HaltedLaunch& launch);
  [[nodiscard]] DebugPlace place_of(const DebugCommand& command, const Kernel& kernel) const;
  void add_stop(const DebugCommand& command);
  void listen();

  const PreparedRun& prepared_;
  CommandSource& source_;
  Paint paint_;
  std::vector<SmEvents> events_;
  StopList stops_;
  Inspector inspector_;
  std::size_t launches_ = 0;  ///< that have begun
  Going going_ = Going::halted;
  std::uint64_t target_ = 0;  ///< of a step: issues of the SM or of a warp, or a cycle
  SmIndex stepped_sm_ = 0;
  WarpSlot stepped_warp_ = 0;
  std::optional<DebugCommand> last_step_;
  bool failure_told_ = false;
  bool left_ = false, failed_ = false;
};

}  // namespace teslasim
