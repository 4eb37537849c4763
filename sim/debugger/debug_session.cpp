// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/debug_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/clang/kernel_names.h"
#include "sim/debugger/views/pipeline_text.h"
#include "sim/report/text/format.h"
#include "sim/run/signals.h"

namespace teslasim {
namespace {

/// How long a launch goes on to its end until Ctrl-C is looked for.
constexpr SmCycle stretch_to_the_end = 16384;

std::string shape_text(const std::array<std::uint32_t, 3>& shape) {
  return fmt::format("{} x {} x {}", shape[0], shape[1], shape[2]);
}

bool warp_is_gone(const HaltedLaunch& launch, SmIndex sm, WarpSlot slot) {
  std::vector<WarpView> warps;
  launch.sms[sm]->view_warps(warps);
  return std::none_of(warps.begin(), warps.end(),
                      [slot](const WarpView& warp) { return warp.slot == slot && warp.next != nullptr; });
}

}  // namespace

DebugSession::DebugSession(const PreparedRun& prepared, WorkloadRun& run, CommandSource& source, Paint paint)
    : prepared_(prepared), source_(source), paint_(paint), inspector_(prepared, run, events_) {
  const unsigned sms = prepared.machine.spec.sms();
  for (unsigned sm = 0; sm < sms; ++sm) events_.emplace_back(sm);
}

void DebugSession::begin(const HaltedLaunch& launch) {
  for (unsigned sm = 0; sm < events_.size(); ++sm) events_[sm].begin(launch.streams[sm], launch.sms[sm]->warp_slots());
  inspector_.begin(launches_++);
  inspector_.look_at(&launch);
  inspector_.choose(inspector_.sm(), 0);
  stops_.begin(launch);
  failure_told_ = false;
  if (going_ != Going::run) going_ = Going::halted;
  listen();
  const Launch& one = *launch.launch;
  print_result(fmt::format("launch {} of {}: {}, grid {}, block {}, on {}\n", launches_,
                           prepared_.workload.launches.size(), one.kernel->name, shape_text(one.grid),
                           shape_text(one.block), prepared_.machine.spec.name));
}

/// What costs time is told only where somebody wants it.
void DebugSession::listen() {
  for (unsigned sm = 0; sm < events_.size(); ++sm) {
    events_[sm].tell(stops_.watches() ? &stops_ : nullptr);
    const bool steps = going_ == Going::issue || going_ == Going::warp || going_ == Going::cycle;
    events_[sm].read_effects(steps && inspector_.sm() == sm);
  }
}

std::optional<SmCycle> DebugSession::halted(const HaltedLaunch& launch) {
  if (!stops(launch)) return next_halt(launch);
  going_ = Going::halted;
  return converse(&launch);
}

bool DebugSession::stops(const HaltedLaunch& launch) {
  if (!launch.failure.empty() && !std::exchange(failure_told_, true)) {
    (void)stops_.check(launch, events_);
    print_result(fmt::format("kernel error in cycle {}\n", sp_cycles(launch.now - 1).count()));
    tell_failure(launch.failure);
    return true;
  }
  const bool found = found_stop(launch);
  if (going_ == Going::halted || found) return true;
  if (take_interrupt()) {
    print_result(fmt::format("interrupted\n{}", inspector_.where_text()));
    return true;
  }
  if (!step_is_done(launch)) return false;
  tell_step(launch);
  return true;
}

bool DebugSession::found_stop(const HaltedLaunch& launch) {
  const std::optional<StopReport> report = stops_.check(launch, events_);
  if (!report || going_ == Going::finish) return false;
  print_result(report->text);
  if (report->warp) inspector_.choose(report->sm, *report->warp);
  return true;
}

bool DebugSession::step_is_done(const HaltedLaunch& launch) const {
  const SmEvents& events = events_[stepped_sm_];
  switch (going_) {
    case Going::issue:
      return events.issues() >= target_;
    case Going::cycle:
      return launch.now >= target_;
    case Going::warp:
      return events.issues_of(stepped_warp_) >= target_ || warp_is_gone(launch, stepped_sm_, stepped_warp_);
    default:
      return false;
  }
}

void DebugSession::tell_step(const HaltedLaunch& launch) {
  const auto& last = events_[stepped_sm_].last_issue();
  const bool issued_now = last && last->when + 1 == launch.now;
  if (issued_now) {
    print_result(issue_line(*last, *launch.launch->kernel));
    inspector_.choose(stepped_sm_, last->warp);
  }
  if (going_ == Going::cycle) print_result(inspector_.where_text());
  if (going_ == Going::warp && warp_is_gone(launch, stepped_sm_, stepped_warp_))
    print_result(fmt::format("warp {} has finished\n", stepped_warp_));
}

void DebugSession::tell_failure(const std::vector<Diagnostic>& errors) {
  print_diagnostics(errors, paint_);
}

/// A kernel error is to be seen in its cycle, so a launch that may stop halts after each.
SmCycle DebugSession::next_halt(const HaltedLaunch& launch) {
  if (launch.next == never) return never;
  if (going_ == Going::finish) return launch.next + stretch_to_the_end;
  const SmCycle until = stops_.next_halt(launch);
  return going_ == Going::cycle ? lesser(until, SmCycle{target_}) : until;
}

void DebugSession::ended(const HaltedLaunch& launch, RunStatus status, const std::vector<Diagnostic>& errors) {
  if (status != RunStatus::ok && !std::exchange(failure_told_, true)) {
    print_result(fmt::format("the launch can go no further: {}\n", name_of(status)));
    tell_failure(errors);
    if (!left_) (void)converse(&launch);
  }
  inspector_.look_at(nullptr);
}

void DebugSession::counted(const LaunchStatistics& launch) {
  if (launch.status == RunStatus::interrupted) return;
  print_result(fmt::format("launch {} ended in cycle {}: {}\n", launches_, launch.shader_cycles.count(),
                           name_of(launch.status)));
}

void DebugSession::over(const RunOutcome& outcome) {
  inspector_.look_at(nullptr);
  if (outcome.result.status == RunStatus::interrupted) return;
  print_result(fmt::format("the run has ended: {}, digest {}\n", name_of(outcome.result.status),
                           digest_text(outcome.result.digest)));
  if (!left_) (void)converse(nullptr);
}

std::optional<DebugCommand> DebugSession::next_command() {
  for (;;) {
    const std::optional<CommandLine> line = source_.next();
    if (!line) return std::nullopt;
    try {
      if (has_command(*line)) return parse_command(*line);
      if (last_step_) return last_step_;
    } catch (const InputError& error) {
      failed_ = true;
      print_diagnostics(error.diagnostics(), paint_);
    }
  }
}

std::optional<SmCycle> DebugSession::converse(const HaltedLaunch* launch) {
  for (;;) {
    const std::optional<DebugCommand> command = next_command();
    if (!command || command->kind == CommandKind::quit) {
      left_ = true;
      return std::nullopt;
    }
    try {
      if (!obey(*command, launch)) continue;
      // A warp may stand where a breakpoint was set just now.
      if (going_ != Going::run || !found_stop(*launch)) return next_halt(*launch);
      going_ = Going::halted;
    } catch (const InputError& error) {
      failed_ = true;
      print_diagnostics(error.diagnostics(), paint_);
    }
  }
}

bool DebugSession::obey(const DebugCommand& command, const HaltedLaunch* launch) {
  switch (command.kind) {
    case CommandKind::run:
    case CommandKind::step:
    case CommandKind::finish:
      return go(command, inspector_.launch(command.line)) && launch != nullptr;
    case CommandKind::breakpoint:
    case CommandKind::watch:
      add_stop(command);
      return false;
    case CommandKind::remove:
      if (!stops_.remove(command.first))
        refuse(command.line, fmt::format("there is no breakpoint {}", command.first), "info breaks lists them");
      return false;
    case CommandKind::info:
      print_result(stops_.text());
      return false;
    case CommandKind::help:
      print_result(command_help(command.about));
      return false;
    default:
      print_result(inspector_.answer(command));
      return false;
  }
}

bool DebugSession::go(const DebugCommand& command, const HaltedLaunch& launch) {
  (void)take_interrupt();
  if (command.kind == CommandKind::step) {
    set_steps(command, launch);
    last_step_ = command;
  } else {
    going_ = command.kind == CommandKind::finish ? Going::finish : Going::run;
  }
  listen();
  return true;
}

void DebugSession::set_steps(const DebugCommand& command, const HaltedLaunch& launch) {
  const std::uint64_t count = command.step.count;
  stepped_sm_ = inspector_.sm();
  switch (command.step.unit) {
    case StepSize::Unit::issue:
      going_ = Going::issue;
      target_ = events_[stepped_sm_].issues() + count;
      return;
    case StepSize::Unit::cycle:
      going_ = Going::cycle;
      target_ = launch.now.count() + count;
      return;
    case StepSize::Unit::warp:
      stepped_warp_ = inspector_.warp_of(command).slot;
      going_ = Going::warp;
      target_ = events_[stepped_sm_].issues_of(stepped_warp_) + count;
      return;
  }
}

/// A label of the kernel under way, or a kernel of any launch.
DebugPlace DebugSession::place_of(const DebugCommand& command, const Kernel& kernel) const {
  DebugPlace place = command.place;
  if (!instructions_at(place, kernel).empty()) return place;
  std::vector<std::string> kernels;
  for (const LaunchSpec& launch : prepared_.workload.launches) kernels.push_back(launch.kernel);
  const bool called = std::any_of(kernels.begin(), kernels.end(),
                                  [&place](const std::string& name) { return cuda::is_called(name, place.label); });
  if (!called || place.label.empty()) {
    const MissingPlace missing = missing_place(place, kernel, kernels);
    refuse(command.line, missing.message, missing.help);
  }
  place.kind = DebugPlace::Kind::kernel;
  return place;
}

void DebugSession::add_stop(const DebugCommand& command) {
  const HaltedLaunch& launch = inspector_.launch(command.line);
  if (command.kind == CommandKind::watch) {
    const WatchedPlace& place = command.watched;
    const Address address = inspector_.watched_address(command);
    std::string text = fmt::format("{}[{}", place.shared ? 's' : 'g', place.base);
    if (place.base.empty()) {
      text += fmt::format("{:#x}", place.offset);
    } else if (place.offset != 0) {
      text += fmt::format("+{}", place.offset);
    }
    print_result(stops_.add(place.shared, address, inspector_.sm(), text + "]"));
  } else if (command.stall) {
    print_result(stops_.add(*command.stall, inspector_.sm()));
  } else {
    print_result(stops_.add(place_of(command, *launch.launch->kernel), command.conditions, *launch.launch->kernel));
  }
}

}  // namespace teslasim
