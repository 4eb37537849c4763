// SPDX-License-Identifier: Apache-2.0
// `teslasim rerun`: the promise that a run directory is enough to get the same numbers again.
#include <fmt/format.h>

#include <array>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/report/text/format.h"
#include "sim/run/run_reader.h"
#include "sim/run/signals.h"
#include "sim/run/watched_run.h"
#include "sim/run/workload_run.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 1> rerun_own_options{
    {{"runs-dir", 0, Arity::value, "DIR", "where numbered runs are (default: runs)"}}};

void refuse_incomplete(const RecordedRun& recorded, const std::string& directory) {
  if (recorded.status != name_of(RunStatus::interrupted)) return;
  Diagnostic diagnostic;
  diagnostic.code = "RERUN-INCOMPLETE";
  diagnostic.message = "the run in '" + directory + "' was interrupted: there is no complete digest to compare with";
  diagnostic.help = "run it again to its end";
  throw InputError(ExitCode::input, std::move(diagnostic));
}

}  // namespace

std::vector<Option> options_of_rerun() {
  return {rerun_own_options.begin(), rerun_own_options.end()};
}

int rerun_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(rerun_own_options), "rerun");
  if (answered_help(options, "rerun", rerun_own_options)) return 0;
  if (options.inputs().size() != 1) usage_error("CLI-INPUT", "rerun takes one run", "teslasim rerun latest");
  const std::string directory = find_run(options.text("runs-dir", "runs"), options.inputs().front());
  const RecordedRun recorded = RunReader(directory).record();
  refuse_incomplete(recorded, directory);

  const ConsoleOptions console = console_options(options);
  const PreparedRun prepared = prepare(recorded.settings);
  WorkloadRun simulation(prepared);
  const RunOutcome outcome = run_watched(prepared, simulation, console.progress);
  if (outcome.result.status == RunStatus::interrupted) return 128 + caught_signal();

  const std::string digest = digest_text(outcome.result.digest);
  const bool same = digest == recorded.digest;
  if (!console.quiet) {
    print_result(fmt::format("{}: {}\n  recorded  {}  ({})\n  now       {}  ({})\n", directory,
                             same ? "same digest" : "DIGEST DIFFERS", recorded.digest, recorded.status, digest,
                             name_of(outcome.result.status)));
  }
  return static_cast<int>(same ? ExitCode::done : ExitCode::check_failed);
}

}  // namespace teslasim
