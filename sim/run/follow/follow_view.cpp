// SPDX-License-Identifier: Apache-2.0
#include "sim/run/follow/follow_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/diagnostic.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr std::size_t most_columns = 100;
constexpr std::size_t bar_columns = 40;

std::string life_text(const FollowedRun& run) {
  switch (run.life) {
    case RunLife::starting:
      return "starting";
    case RunLife::running:
      return "running";
    case RunLife::silent:
      return fmt::format("no sign of life for {}", clock_text(run.status_age));
    case RunLife::writing:
      return "writing its results";
    case RunLife::ended:
      return "ended";
    case RunLife::dead:
      return "dead";
  }
  return "";
}

std::string place_text(const FollowedRun& run) {
  if (run.status.host.empty()) return "";
  return fmt::format("process {} on {}", run.status.process, run.status.host);
}

std::string blocks_line(const Moment& moment) {
  const Progress& progress = moment.progress;
  std::string line = fmt::format("blocks   {} of {}", grouped(progress.ctas_done), grouped(progress.ctas_total));
  if (progress.ctas_total == 0) return line;
  const double part = std::min(1.0, static_cast<double>(progress.ctas_done) / static_cast<double>(progress.ctas_total));
  const auto full = static_cast<std::size_t>(part * static_cast<double>(bar_columns));
  return line +
         fmt::format("  {:.0f} %  [{}{}]", 100.0 * part, std::string(full, '#'), std::string(bar_columns - full, '-'));
}

std::string launch_line(const Moment& moment) {
  if (moment.launches <= 1) return "kernel   " + moment.kernel;
  return fmt::format("launch   {} of {}: {}", moment.launch + 1, moment.launches, moment.kernel);
}

std::string time_line(const RunStatusRecord& status) {
  std::string line = "time     " + clock_text(status.moment.seconds);
  if (status.moment.eta_seconds >= 0.0)
    line += fmt::format(", {}{} left", status.moment.launches > 1 ? "for this launch " : "",
                        clock_text(status.moment.eta_seconds));
  return line + fmt::format(", {:.0f} MB of memory", status.rss_mb);
}

std::string rate(double count, double seconds) {
  return with_prefix(count / seconds) + "/s";
}

std::string last_interval_line(const StatusInterval& last) {
  const double seconds = last.seconds_end - last.seconds_begin;
  if (seconds <= 0.0) return "";
  const auto cycles = static_cast<double>(last.cycle_end - std::min(last.cycle_begin, last.cycle_end));
  return fmt::format("lately   {} warp instructions, {} cycles, {} blocks",
                     rate(static_cast<double>(last.warp_instructions), seconds), rate(cycles, seconds),
                     rate(static_cast<double>(last.ctas), seconds));
}

/// The newest first, as many as fit.
std::string earlier_intervals_line(const std::vector<StatusInterval>& intervals) {
  std::string line;
  for (auto one = intervals.rbegin() + 1; one != intervals.rend(); ++one) {
    const double seconds = one->seconds_end - one->seconds_begin;
    if (seconds <= 0.0) continue;
    const std::string next = (line.empty() ? "before   warp instructions/s: " : ", ") +
                             with_prefix(static_cast<double>(one->warp_instructions) / seconds);
    if (columns(line + next) > most_columns - 2) break;
    line += next;
  }
  return line;
}

std::string end_words(const RecordedEnd& end) {
  switch (static_cast<ExitCode>(end.exit.value_or(0))) {
    case ExitCode::done:
      return end.status == name_of(RunStatus::limit) ? "stopped at the limit that it was given" : "done";
    case ExitCode::check_failed:
      return "done, but a check failed";
    case ExitCode::kernel:
      return "failed: the kernel did something illegal";
    case ExitCode::stuck:
      return "failed: the kernel is stuck";
    case ExitCode::host_limit:
      return "stopped at a limit of the host";
    case ExitCode::environment:
      return "done, but files are missing";
    case ExitCode::internal:
      return "failed: a bug in teslasim";
    default:
      return end.status == name_of(RunStatus::interrupted) ? "stopped by a signal" : "failed";
  }
}

}  // namespace

std::string followed_line(const FollowedRun& run) {
  switch (run.life) {
    case RunLife::running:
      return progress_line(run.status.moment);
    case RunLife::silent:
      return shortened(life_text(run) + ": " + progress_line(run.status.moment), most_columns);
    default:
      return life_text(run);
  }
}

std::string followed_block(const FollowedRun& run) {
  const Moment& moment = run.status.moment;
  std::vector<std::string> lines{run.label + "   " + life_text(run), place_text(run)};
  if (!run.status.phase.empty()) {
    lines.insert(lines.end(), {launch_line(moment), blocks_line(moment)});
    lines.push_back(fmt::format("cycle    {}   {} warp instructions, {}",
                                grouped(moment.progress.shader_cycles.count()),
                                grouped(moment.progress.warp_instructions), rate(moment.warp_instr_per_s, 1.0)));
    lines.push_back(time_line(run.status));
    if (!run.status.intervals.empty()) {
      lines.push_back(last_interval_line(run.status.intervals.back()));
      lines.push_back(earlier_intervals_line(run.status.intervals));
    }
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].empty()) text += (i == 0 ? "" : "  ") + shortened(lines[i], most_columns - 2) + "\n";
  }
  return text;
}

std::string ended_text(const FollowedRun& run) {
  std::string text;
  for (const RunNote& note : run.identity.notes) {
    if (note.severity == "error") text += note.text;
  }
  return text + fmt::format("{}: {} (status {}, exit {}); results in {}\n", run.label, end_words(run.end),
                            run.end.status, run.end.exit.value_or(0), run.directory);
}

}  // namespace teslasim
