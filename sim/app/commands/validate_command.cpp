// SPDX-License-Identifier: Apache-2.0
// `teslasim validate`: the published micro-benchmarks on the simulated machines, row by row.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/cli/run_options.h"
#include "sim/app/plans/slurm_options.h"
#include "sim/base/output_file.h"
#include "sim/run/action_progress.h"
#include "sim/run/plans/sweep_run.h"
#include "sim/run/watch.h"
#include "sim/validation/key_studies.h"
#include "sim/validation/measured_line.h"
#include "sim/validation/slurm_measurements.h"
#include "sim/validation/validation.h"
#include "sim/validation/validation_json.h"
#include "sim/validation/validation_pages.h"
#include "sim/validation/validation_text.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 16> validate_own_options{{
    {"machine", 'm', Arity::value, "MACHINE", "only the rows of one preset, e.g. gtx285"},
    {"only", 0, Arity::values, "ID|EXPERIMENT", "only one row or experiment (E1...); may be repeated"},
    {"json", 0, Arity::optional_value, "FILE", "results as JSON; --json=FILE or --json - to stdout", Listing::common,
     FileUse::writes},
    {"jobs", 'j', Arity::value, "N", "measurements at a time (default: one per processor)"},
    {"strict", 0, Arity::flag, "", "exit status 1 when a counted row is not within its tolerance"},
    {"report", 0, Arity::value, "FILE.md",
     "an index into a document with the marks of docs/validation.md, and pages and plots beside it", Listing::rare,
     FileUse::writes},
    {"list", 0, Arity::flag, "", "print the rows, or the keys of a study, without measuring"},
    {"sensitivity", 0, Arity::flag, "", "how far each experiment moves with each calibrated or assumed key"},
    {"left-out", 0, Arity::flag, "", "how well each experiment is predicted when calibrated without it"},
    {"key", 0, Arity::values, "KEY", "only this key of a study; may be repeated"},
    {"max-cycles", 0, Arity::value, "N", "give up a measurement after N SP cycles", Listing::rare},
    {"max-seconds", 0, Arity::value, "S", "give up what is not measured after S seconds of wall time", Listing::rare},
    {"limit-is-error", 0, Arity::flag, "", "exit 7 when --max-seconds left rows without a value", Listing::rare},
    {"runs-dir", 0, Arity::value, "DIR", "with --on slurm: measurements are kept in DIR/validate (default: runs)",
     Listing::rare},
    {"measure", 0, Arity::value, "MEASUREMENT", "make this one of --machine, which goes to --out: what jobs do",
     Listing::rare},
    {"out", 'o', Arity::value, "FILE", "of --measure", Listing::rare, FileUse::writes},
}};
constexpr std::string_view validate_notes =
    "\nEach row compares a published figure with the same experiment on the simulated machine. Rows that were measured "
    "or\n"
    "derived, and read in their source (of whole kernels, E30, recollected ones too), count; others are shown.\n"
    "docs/validation.md explains the columns.\n";

std::vector<PublishedRow> wanted_rows(const ParsedOptions& options) {
  const std::string machine = options.text("machine");
  const std::vector<std::string> only = options.all("only");
  std::vector<std::string> machines, words;
  for (const PublishedRow& row : published_rows()) {
    machines.push_back(row.machine);
    words.push_back(row.id);
    words.push_back(row.experiment);
  }
  const auto must_be_known = [](const std::string& word, const std::vector<std::string>& known,
                                const std::string& what) {
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    const std::string near = nearest_word(word, known);
    usage_error("CLI-VALUE", fmt::format("there are no published rows for {} '{}'", what, word),
                near.empty() ? "teslasim validate --list" : "did you mean '" + near + "'?");
  };
  if (!machine.empty()) must_be_known(machine, machines, "machine");
  for (const std::string& word : only) must_be_known(word, words, "row or experiment");
  return selected_rows(published_rows(), machine, only);
}

void write_json(const std::string& target, const ValidationResult& result) {
  if (target == "-") {
    print_result(validation_json(result));
  } else {
    write_file(target, validation_json(result));
  }
}

void check_strict(const ParsedOptions& options, const std::vector<PublishedRow>& rows) {
  const bool counted = std::any_of(rows.begin(), rows.end(), [](const PublishedRow& row) { return row.counted(); });
  if (options.has("strict") && !counted)
    usage_error("CLI-VALUE", "--strict judges counted rows, and none of these is one", "teslasim validate --list");
}

/// Progress on a terminal; limits.
WorkerOptions worker_options(const ParsedOptions& options) {
  WorkerOptions workers;
  workers.jobs = static_cast<unsigned>(options.number("jobs", 0, 1024));
  const RunLimits limits = run_limits(options);
  workers.max_cycles = limits.max_cycles;
  workers.max_seconds = limits.max_seconds;
  if (console_options(options).progress == ProgressStyle::tty) {
    workers.progress = [](std::size_t done, std::size_t all) {
      print_notice(fmt::format("\r{} of {} measurements{}", done, all, done == all ? "\n" : ""));
    };
  }
  return workers;
}

void refuse_other_options(const ParsedOptions& options, KeyStudy study) {
  for (const std::string_view other : {"strict", "max-cycles", "max-seconds", "limit-is-error", "on"}) {
    if (options.has(other))
      usage_error("CLI-VALUE", fmt::format("{} does not go with --{}", option_of(study), other),
                  "a study compares whole validations; --only, --machine and --key make it shorter");
  }
}

/// The options that chose rows and keys.
std::string scope_of(const ParsedOptions& options) {
  std::string scope;
  for (const std::string_view name : {"machine", "only", "key"}) {
    for (const std::string& value : options.all(name))
      scope += fmt::format("{}--{} {}", scope.empty() ? "" : " ", name, value);
  }
  return scope;
}

/// Whether the options ask for a study that changes keys.
bool asks_for_study(const ParsedOptions& options) {
  if (options.has("sensitivity") && options.has("left-out"))
    usage_error("CLI-VALUE", "--sensitivity and --left-out are two studies", "give one of them");
  if (options.has("sensitivity") || options.has("left-out")) return true;
  if (options.has("key")) usage_error("CLI-VALUE", "--key chooses keys of a study", "add --sensitivity or --left-out");
  return false;
}

/// Whole kernels take so long that a study has them only where `--only` names them.
int validate_study(const ParsedOptions& options, const std::vector<PublishedRow>& rows, const WorkerOptions& workers) {
  StudyRequest request;
  request.study = options.has("left-out") ? KeyStudy::left_out : KeyStudy::sensitivity;
  refuse_other_options(options, request.study);
  request.depth = options.has("list") ? StudyDepth::list : StudyDepth::measure;
  request.keys = options.all("key");
  request.scope = scope_of(options);
  request.page = options.text("report");
  std::vector<PublishedRow> studied = rows;
  if (!options.has("only")) std::erase_if(studied, [](const PublishedRow& row) { return row.whole_kernel(); });
  const StudyOutput output = run_study(request, studied, workers);
  const std::string json = options.has("json") ? options.text("json", "-") : "";
  if (!json.empty() && json != "-") write_file(json, output.json);
  print_result(json == "-" ? output.json : output.text);
  return 0;
}

/// The rows, on this host or a cluster, as text, JSON and document.
int validate_rows(const ParsedOptions& options, const std::vector<PublishedRow>& rows, const WorkerOptions& workers) {
  const RunLimits limits = run_limits(options);
  if (options.has("report") && rows.size() != published_rows().size())
    usage_error("CLI-VALUE", "--report needs all rows", "leave --machine and --only out");
  if (options.has("report") && limits.any())
    usage_error("CLI-VALUE", "--report needs all rows", "leave --max-cycles and --max-seconds out");
  std::optional<ValidationPages> document;
  if (options.has("report")) document.emplace(options.text("report"));
  const ValidationResult result = validate(rows, workers);
  if (document) document->write(result, workers);
  const std::string json = options.has("json") ? options.text("json", "-") : "";
  if (!json.empty()) write_json(json, result);
  if (json != "-") print_result(validation_text(result));
  const ValidationSummary summary = result.summary();
  if (limits.limit_is_error && limits.max_seconds > 0.0 && result.limited() != 0) {
    print_diagnostics({time_limit_error(limits.max_seconds)}, console_options(options).errors);
    return static_cast<int>(ExitCode::host_limit);
  }
  return options.has("strict") && summary.within < summary.counted ? static_cast<int>(ExitCode::check_failed) : 0;
}

/// A measurement for another process, in a file.
int measure_one(const ParsedOptions& options) {
  if (!options.has("machine") || !options.has("out"))
    usage_error("CLI-VALUE", "--measure needs --machine and --out", "validate makes measurements by itself");
  const MeasureTask task{options.text("machine"), options.text("measure")};
  write_file(options.text("out"), measured_line(task, run_limits(options).max_cycles) + "\n");
  return 0;
}

std::optional<SlurmMeasurements> cluster_of(const ParsedOptions& options, const Arguments& arguments,
                                            const WorkerOptions& workers) {
  std::optional<SlurmRequest> request = slurm_request(options, "validate", arguments, "");
  if (!request) return std::nullopt;
  if (options.has("max-seconds"))
    usage_error("CLI-VALUE", "--max-seconds does not go with --on slurm", "--slurm-args --time=10 limits each task");
  return SlurmMeasurements(plan_folder(options.text("runs-dir", "runs"), "validate"), std::move(*request),
                           workers.max_cycles, console_options(options));
}

}  // namespace

std::vector<Option> options_of_validate() {
  std::vector<Option> options(validate_own_options.begin(), validate_own_options.end());
  options.insert(options.end(), slurm_options().begin(), slurm_options().end());
  return options;
}

int validate_command(const Arguments& arguments) {
  const std::vector<Option> table = options_of_validate();
  const ParsedOptions options = parse_options(arguments, with_common(table), "validate");
  if (answered_help(options, "validate", table, validate_notes)) return 0;
  if (const std::optional<int> exit = resumed(options, arguments)) return *exit;
  if (options.has("measure")) return measure_one(options);
  if (options.has("out"))
    usage_error("CLI-VALUE", "--out goes with --measure only", "results go to --json=FILE, pages to --report FILE.md");
  const std::vector<PublishedRow> rows = wanted_rows(options);
  const bool study = asks_for_study(options);
  if (options.has("list") && !study) {
    print_result(published_text(rows));
    return 0;
  }
  check_strict(options, rows);
  WorkerOptions workers = worker_options(options);
  if (study) return validate_study(options, rows, workers);
  std::optional<SlurmMeasurements> cluster = cluster_of(options, arguments, workers);
  if (cluster) workers.elsewhere = [&cluster](const std::vector<MeasureTask>& tasks) { return cluster->run(tasks); };
  try {
    const int exit = validate_rows(options, rows, workers);
    return exit == 0 && cluster && cluster->lost() != 0 ? static_cast<int>(ExitCode::check_failed) : exit;
  } catch (const Interrupted& interrupted) {
    return 128 + interrupted.signal;
  }
}

}  // namespace teslasim
