// SPDX-License-Identifier: Apache-2.0
// Answers the commands of the debugger that look and change nothing but where one looks.
#pragma once

#include <string>
#include <vector>

#include "sim/debugger/commands/command.h"
#include "sim/debugger/sm_events.h"
#include "sim/gpu/launch_stepper.h"
#include "sim/run/workload_run.h"

namespace teslasim {

/// Throws InputError (usage) about a command that cannot be done as things are. The caret is at its first argument.
[[noreturn]] void refuse(const CommandLine& line, std::string message, std::string help = "");

class Inspector {
 public:
  Inspector(const PreparedRun& prepared, WorkloadRun& run, const std::vector<SmEvents>& events)
      : prepared_(prepared), run_(run), events_(events) {}

  /// What is looked at from now on; null: no launch is under way.
  void look_at(const HaltedLaunch* launch) { launch_ = launch; }
  /// Launch `number` begins.
  void begin(std::size_t number) { number_ = number; }
  void choose(SmIndex sm, WarpSlot warp) {
    sm_ = sm;
    warp_ = warp;
  }
  [[nodiscard]] SmIndex sm() const { return sm_; }
  /// The launch; throws InputError (usage) when none is under way.
  [[nodiscard]] const HaltedLaunch& launch(const CommandLine& line) const;
  /// The warp of the current SM that a command names, or else the current one. Throws InputError (usage).
  [[nodiscard]] WarpView warp_of(const DebugCommand& command) const;
  /// Makes an SM or a warp the current one, or answers.
  [[nodiscard]] std::string answer(const DebugCommand& command);
  /// "cycle 106, launch 1 of 1 (reduce1), SM 0: 1 block, 8 warps: 3 mem.global, 5 dep.alu"
  [[nodiscard]] std::string where_text() const;
  /// The address that a watch command names, checked. Throws InputError (usage).
  [[nodiscard]] Address watched_address(const DebugCommand& command) const;

 private:
  [[nodiscard]] std::vector<WarpView> warps() const;
  [[nodiscard]] const Kernel& kernel() const { return *launch_->launch->kernel; }
  [[nodiscard]] std::optional<std::size_t> buffer_of(const std::string& name) const;
  [[nodiscard]] std::string where(const DebugCommand& command) const;
  [[nodiscard]] std::string registers(const DebugCommand& command) const;
  [[nodiscard]] std::string shared(const DebugCommand& command) const;
  [[nodiscard]] std::string global(const DebugCommand& command);
  [[nodiscard]] std::string names() const;
  [[nodiscard]] std::string list(const DebugCommand& command) const;
  [[nodiscard]] std::string choose_sm(const DebugCommand& command);
  [[nodiscard]] std::string choose_warp(const DebugCommand& command);

  const PreparedRun& prepared_;
  WorkloadRun& run_;
  const std::vector<SmEvents>& events_;
  const HaltedLaunch* launch_ = nullptr;
  std::size_t number_ = 0;
  SmIndex sm_ = 0;
  WarpSlot warp_ = 0;
};

}  // namespace teslasim
