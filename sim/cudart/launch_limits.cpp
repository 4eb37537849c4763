// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "sim/report/text/format.h"
#include "sim/run/console.h"
#include "sim/run/signals.h"

namespace teslasim::cudart {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds between_tellings{30};

std::uint64_t cycles_in(double seconds, const MachineSpec& machine) {
  constexpr double cycles_per_mhz = 1e6;
  return seconds > 0.0 ? static_cast<std::uint64_t>(seconds * machine.clock.shader_mhz * cycles_per_mhz) : never;
}

std::string blocks_text(const Progress& progress) {
  return fmt::format("{} of {} blocks and {} warp instructions are done", progress.ctas_done, progress.ctas_total,
                     grouped(progress.warp_instructions));
}

}  // namespace

LaunchLimits::LaunchLimits(const Control& control, const BoardSpec& board, const MachineSpec& machine, Mode mode,
                           std::string name)
    : control_(control),
      mode_(mode),
      name_(std::move(name)),
      watchdog_seconds_(board.kernel_limit_s),
      watchdog_cycles_(cycles_in(board.kernel_limit_s, machine)),
      watchdog_instructions_(watchdog_cycles_ == never ? never : watchdog_cycles_ / (warp_size / machine.sm.sp_lanes)),
      start_(Clock::now()),
      next_telling_(start_ + between_tellings) {}

RunControl LaunchLimits::run_control() {
  RunControl limits;
  limits.series = Series::none;
  limits.max_shader_cycles = mode_ == Mode::timing ? std::min(control_.max_cycles, SpCycle(watchdog_cycles_))
                                                   : SpCycle(control_.max_instructions);
  limits.watch = [this](const Progress& progress) {
    stop_ = look(progress);
    return stop_ == Stop::none ? Verdict::go_on : Verdict::interrupt;
  };
  return limits;
}

LaunchLimits::Stop LaunchLimits::look(const Progress& progress) {
  last_ = progress;
  if (caught_signal() != 0) return Stop::signal;
  if (control_.max_seconds > 0.0 && Clock::now() - start_ >= std::chrono::duration<double>(control_.max_seconds))
    return Stop::seconds;
  if (progress.ctas_done != blocks_) {
    blocks_ = progress.ctas_done;
    before_block_ = progress.warp_instructions;
  }
  const bool is_functional = mode_ != Mode::timing;
  if (is_functional && progress.warp_instructions - before_block_ > watchdog_instructions_) return Stop::watchdog;
  tell(progress);
  return Stop::none;
}

void LaunchLimits::tell(const Progress& progress) {
  const Clock::time_point now = Clock::now();
  if (control_.quiet || now < next_telling_) return;
  next_telling_ = now + between_tellings;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - start_).count();
  print_notice(fmt::format("teslasim: {}: {} s so far; {}\n", name_, seconds, blocks_text(progress)));
}

bool LaunchLimits::is_watchdog(RunStatus status) const {
  if (status == RunStatus::interrupted) return stop_ == Stop::watchdog;
  return mode_ == Mode::timing && SpCycle(watchdog_cycles_) < control_.max_cycles;
}

std::string LaunchLimits::reason(RunStatus status) const {
  if (is_watchdog(status))
    return fmt::format("the kernel was stopped: it takes longer than {} s on the board (board.kernel_limit_s)",
                       watchdog_seconds_);
  if (status == RunStatus::limit) {
    const bool timing = mode_ == Mode::timing;
    return fmt::format("the kernel was stopped at its limit: {} = {}",
                       timing ? "TESLASIM_MAX_CYCLES" : "TESLASIM_MAX_INSTRUCTIONS",
                       timing ? control_.max_cycles.count() : control_.max_instructions);
  }
  if (stop_ == Stop::seconds)
    return fmt::format("the kernel was stopped at its limit: TESLASIM_MAX_SECONDS = {}; {}", control_.max_seconds,
                       blocks_text(last_));
  return fmt::format("the kernel was stopped by {}; {}", caught_signal() == SIGTERM ? "SIGTERM" : "Ctrl-C",
                     blocks_text(last_));
}

std::string LaunchLimits::help(RunStatus status) const {
  if (!is_watchdog(status)) return "";
  const std::string longer = "a kernel that is right and long runs with TESLASIM_SET=board.kernel_limit_s=0";
  if (mode_ == Mode::timing) return longer;
  return longer +
         "; without time blocks run one after the other: one that waits for a later one needs TESLASIM_MODE=timing";
}

}  // namespace teslasim::cudart
