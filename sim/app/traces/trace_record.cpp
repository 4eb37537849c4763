// SPDX-License-Identifier: Apache-2.0
// `teslasim trace record`: a run whose warps are written down.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/app/cli/console_options.h"
#include "sim/app/cli/run_options.h"
#include "sim/app/traces/trace_actions.h"
#include "sim/report/text/format.h"
#include "sim/run/signals.h"
#include "sim/run/watch.h"
#include "sim/run/watched_run.h"
#include "sim/run/workload_run.h"

namespace teslasim::trace_actions {
namespace {

constexpr int signal_exit = 128;

RunSettings settings_of(const ParsedOptions& options) {
  constexpr std::array<std::string_view, 2> modes{"functional", "timing"};
  RunSettings settings;
  settings.workload = workload_request_for(options, input_of(options));
  settings.configs = options.all("config");
  settings.sets = machine_sets(options);
  settings.mode = options.choice("mode", modes) == "timing" ? Mode::timing : Mode::functional;
  settings.max_cycles = run_limits(options).max_cycles;
  return settings;
}

TraceSelection recorded_part(const ParsedOptions& options, Mode mode) {
  for (const char* name : {"launches", "warps", "addresses"}) {
    if (options.has(name))
      usage_error("CLI-VALUE", fmt::format("record takes no --{}", name), "record, then use trace cut");
  }
  const TraceSelection selection = selection_of(options, nullptr);
  if (!selection.sms.all() && mode == Mode::functional)
    usage_error("CLI-VALUE", "--sms: blocks run on SMs in the timing model only", "add --mode timing");
  return selection;
}

/// A part that the run does not have would be an empty trace.
void check_part(const TraceSelection& selection, const PreparedRun& prepared) {
  const auto begins_in = [](const NumberRanges& wanted, std::uint64_t count) {
    return wanted.all() || std::any_of(wanted.ranges.begin(), wanted.ranges.end(),
                                       [count](const NumberRanges::Range& range) { return range.first < count; });
  };
  const unsigned sms = prepared.machine.spec.sms();
  if (!begins_in(selection.sms, sms))
    usage_error("CLI-VALUE", fmt::format("--sms: {} has SMs 0-{}", prepared.machine.spec.name, sms - 1));
  std::uint64_t blocks = 0;
  for (const LaunchSpec& launch : prepared.workload.launches) blocks = std::max(blocks, launch.blocks());
  if (!begins_in(selection.blocks, blocks))
    usage_error("CLI-VALUE",
                fmt::format("--blocks: no launch has one of these blocks; the largest grid has 0-{}", blocks - 1));
}

}  // namespace

int record(const ParsedOptions& options) {
  const std::string output = output_of(options);
  RunSettings settings = settings_of(options);
  const TraceSelection selection = recorded_part(options, settings.mode);
  const ConsoleOptions console = console_options(options);
  const PreparedRun prepared = prepare(std::move(settings));
  check_part(selection, prepared);
  report_warnings(prepared.workload.warnings, console);
  WorkloadRun simulation(prepared);
  simulation.record_to(output, selection);
  const RunLimits limits = run_limits(options);
  WatchOptions watch;
  watch.style = console.progress;
  watch.max_seconds = limits.max_seconds;
  WatchedRun watched(prepared, watch);
  const RunOutcome outcome = watched.run(simulation);
  print_diagnostics(outcome.errors, console.errors);
  const TraceWriter& writer = *simulation.trace();
  const RunStatus status = watched.status_of(outcome);
  if (status != RunStatus::ok)
    print_notice(fmt::format("{}: truncated, the run ended with status {}\n", output, name_of(status)));
  if (status == RunStatus::interrupted) return signal_exit + caught_signal();
  if (status == RunStatus::kernel_error) return static_cast<int>(ExitCode::kernel);
  if (status == RunStatus::stuck) return static_cast<int>(ExitCode::stuck);
  const bool failed = limits.limit_is_error && watched.out_of_time();
  if (failed) print_diagnostics({time_limit_error(limits.max_seconds)}, console.errors);
  const int exit = static_cast<int>(failed ? ExitCode::host_limit : ExitCode::done);
  if (console.quiet) return exit;
  const auto instructions = static_cast<double>(writer.instructions());
  print_result(fmt::format("{}: {} warp instructions, {} bytes, {:.2f} bytes per instruction, {:.1f} s{}\n", output,
                           grouped(writer.instructions()), grouped(writer.file_bytes()),
                           instructions == 0.0 ? 0.0 : static_cast<double>(writer.file_bytes()) / instructions,
                           outcome.result.host.seconds, selection.labels().empty() ? "" : "; sampled"));
  return exit;
}

}  // namespace teslasim::trace_actions
