// SPDX-License-Identifier: Apache-2.0
#include "sim/run/watch.h"

#include <fmt/format.h>

#include "sim/base/output_file.h"
#include "sim/run/resident_memory.h"
#include "sim/run/signals.h"

namespace teslasim {
namespace {

using Seconds = std::chrono::duration<double>;
constexpr Seconds status_period{2.0};
constexpr Seconds plain_period{30.0};
constexpr Seconds json_period{2.0};
constexpr Seconds tty_period{0.2};

Seconds period_of(ProgressStyle style) {
  if (style == ProgressStyle::tty) return tty_period;
  return style == ProgressStyle::json ? json_period : plain_period;
}

}  // namespace

Watch::Watch(WatchOptions options)
    : options_(std::move(options)),
      start_(Clock::now()),
      launch_start_(start_),
      last_shown_(start_),
      last_status_(start_ - std::chrono::ceil<Clock::duration>(status_period)) {  // the first look is news
  last_ = moment(0, {});
  if (!options_.status_file.empty())
    write_file(options_.status_file, status_json(status_of_process("running", last_, {})));
}

Moment Watch::moment(std::size_t launch, const Progress& progress) const {
  Moment result;
  result.launch = launch;
  result.launches = options_.kernels.size();
  result.kernel = launch < options_.kernels.size() ? options_.kernels[launch] : "";
  result.progress = progress;
  const Clock::time_point now = Clock::now();
  result.seconds = Seconds(now - start_).count();
  const double in_launch = Seconds(now - launch_start_).count();
  if (in_launch > 0.0) result.warp_instr_per_s = static_cast<double>(progress.warp_instructions) / in_launch;
  if (progress.ctas_done != 0) {
    const double left = static_cast<double>(progress.ctas_total - progress.ctas_done);
    result.eta_seconds = in_launch * left / static_cast<double>(progress.ctas_done);
  }
  return result;
}

Verdict Watch::look(std::size_t launch, const Progress& progress) {
  const Clock::time_point now = Clock::now();
  const bool begins = launch != launch_;
  if (begins) {
    launch_ = launch;
    launch_start_ = now;
  }
  last_ = moment(launch, progress);
  if (begins) intervals_.begin(last_);
  if (options_.onlooker && options_.onlooker(last_) == ProcessSide::copy) fall_silent();
  if (!options_.status_file.empty() && now - last_status_ >= status_period) {
    last_status_ = now;
    write_status("running");
  }
  if (options_.style != ProgressStyle::none && now - last_shown_ >= period_of(options_.style)) {
    last_shown_ = now;
    show(last_);
  }
  if (caught_signal() != 0) {
    stop_reason_ = StopReason::signal;
  } else if (options_.max_seconds > 0.0 && last_.seconds >= options_.max_seconds) {
    stop_reason_ = StopReason::wall_time;
  } else if (options_.max_rss_mb > 0.0 && resident_mb() > options_.max_rss_mb) {
    stop_reason_ = StopReason::memory;
  }
  return stop_reason_ == StopReason::none ? Verdict::go_on : Verdict::interrupt;
}

void Watch::launch_ended(std::size_t launch, const LaunchStatistics& statistics) {
  last_ = moment(launch,
                 {statistics.ctas_done, statistics.ctas_total, statistics.warp_instructions, statistics.shader_cycles});
}

void Watch::fall_silent() {
  options_.status_file.clear();
  options_.style = ProgressStyle::none;
  line_open_ = false;
}

void Watch::show(const Moment& moment) {
  switch (options_.style) {
    case ProgressStyle::none:
      return;
    case ProgressStyle::tty:
      print_notice("\r\x1b[K" + progress_line(moment));
      line_open_ = true;
      return;
    case ProgressStyle::plain:
      return print_notice("progress: " + progress_line(moment) + "\n");
    case ProgressStyle::json:
      return print_notice(progress_json(moment) + "\n");
  }
}

Diagnostic time_limit_error(double max_seconds) {
  Diagnostic diagnostic;
  diagnostic.code = "RUN-LIMIT";
  diagnostic.message = fmt::format("stopped after --max-seconds {}", max_seconds);
  diagnostic.help = "what was counted until then is written; without --limit-is-error this is no error";
  return diagnostic;
}

Diagnostic memory_limit_error(double max_rss_mb) {
  Diagnostic diagnostic;
  diagnostic.code = "RUN-LIMIT";
  diagnostic.message =
      fmt::format("stopped: the simulator took more than --max-rss {} (MB of host memory)", max_rss_mb);
  diagnostic.help = "what was counted until then is written";
  return diagnostic;
}

void Watch::finish(std::string_view status) {
  if (line_open_) print_notice("\r\x1b[K");
  line_open_ = false;
  write_status(status);
}

void Watch::write_status(std::string_view phase) {
  if (options_.status_file.empty()) return;
  intervals_.end(last_);
  try {
    write_file(options_.status_file, status_json(status_of_process(std::string(phase), last_, intervals_.list())));
    status_problem_.clear();
  } catch (const InputError& error) {
    status_problem_ = error.diagnostics().front().message;
  }
}

}  // namespace teslasim
