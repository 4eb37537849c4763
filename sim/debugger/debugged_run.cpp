// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/debugged_run.h"

#include <memory>
#include <utility>

#include "sim/debugger/debug_session.h"
#include "sim/run/signals.h"

namespace teslasim {
namespace {

std::unique_ptr<CommandSource> source_of(const std::string& commands) {
  if (commands.empty()) return std::make_unique<StandardInput>();
  return std::make_unique<CommandFile>(commands);
}

ExitCode exit_code(const RunOutcome& outcome) {
  if (outcome.breaks_law()) return ExitCode::internal;
  switch (outcome.result.status) {
    case RunStatus::kernel_error:
      return ExitCode::kernel;
    case RunStatus::stuck:
      return ExitCode::stuck;
    case RunStatus::interrupted:  // the user left
      return ExitCode::done;
    case RunStatus::ok:
      if (!outcome.errors.empty()) return ExitCode::kernel;  // a warning that -W makes an error
      [[fallthrough]];
    default:
      return outcome.result.outputs_ok() ? ExitCode::done : ExitCode::check_failed;
  }
}

}  // namespace

int debug_run(RunSettings settings, const std::string& commands, const ConsoleOptions& console) {
  const std::unique_ptr<CommandSource> source = source_of(commands);
  settings.threads = 1;
  const PreparedRun prepared = prepare(std::move(settings));
  report_warnings(prepared.workload.warnings, console);
  catch_interrupts();
  WorkloadRun run(prepared);
  DebugSession session(prepared, run, *source, console.errors);
  run.model().step_with(session);
  run.on_launch_end([&session](std::uint64_t, const LaunchStatistics& launch, const BlockSample*, std::uint64_t) {
    session.counted(launch);
  });
  RunOutcome outcome = run.run({});
  for (const Diagnostic& warning : judged(outcome.warnings, console.warnings)) {
    const bool error = warning.severity == Diagnostic::Severity::error;
    if (error) outcome.errors.push_back(warning);
    if (error || !console.quiet) print_diagnostics({warning}, console.errors);
  }
  session.over(outcome);
  return static_cast<int>(session.failed() && source->is_file() ? ExitCode::usage : exit_code(outcome));
}

}  // namespace teslasim
