// SPDX-License-Identifier: Apache-2.0
// `teslasim validate`: the published micro-benchmarks on the simulated machines, row by row.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/cli/run_options.h"
#include "sim/app/commands/validate_studies.h"
#include "sim/base/command_files.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/report/text/format.h"
#include "sim/run/watch.h"
#include "sim/validation/sweeps.h"
#include "sim/validation/validation.h"
#include "sim/validation/validation_document.h"
#include "sim/validation/validation_json.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 12> own{{
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
    {"key", 0, Arity::values, "KEY", "only this key of --sensitivity; may be repeated"},
    {"max-cycles", 0, Arity::value, "N", "give up a measurement after N SP cycles", Listing::rare},
    {"max-seconds", 0, Arity::value, "S", "give up what is not measured after S seconds of wall time", Listing::rare},
    {"limit-is-error", 0, Arity::flag, "", "exit 7 when --max-seconds left rows without a value", Listing::rare},
}};
constexpr std::string_view more =
    "\nEach row compares a published figure with the same experiment on the simulated machine. Rows that were measured "
    "or\n"
    "derived, and read in their source, count; others are shown. docs/validation.md explains the columns.\n";

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

/// A value with as many digits as a reader needs.
std::string short_number(double value) {
  return std::fabs(value) >= 1e6 ? fmt::format("{:.4g}", value) : fmt::format("{:.5g}", value);
}

std::string simulated_text(const ValidatedRow& row) {
  if (row.simulated.number) return short_number(*row.simulated.number);
  return row.simulated.word.empty() ? "-" : row.simulated.word;
}

std::string line_of(const ValidatedRow& row) {
  const PublishedRow& p = row.published;
  const std::string error = row.error_percent ? fmt::format("{:+.1f} %", *row.error_percent) : "-";
  std::string text =
      fmt::format("{:<4}{:<12}{} {:>9} {:>9} {} {:>5}{:>10}  {:<14}{}{}\n", p.experiment, p.machine, padded(p.id, 22),
                  p.value, simulated_text(row), padded(shortened(p.unit, 18), 18), p.tolerance, error,
                  name_of(row.verdict), p.counted() ? "" : "(not counted) ", p.condition);
  if (row.verdict == RowVerdict::not_simulated) text += "      " + row.simulated.why + "\n";
  return text;
}

std::string report_text(const ValidationResult& result) {
  std::string text = fmt::format("{:<4}{:<12}{:<22} {:>9} {:>9} {:<18} {:>5}{:>10}  {:<14}{}\n", "exp", "machine",
                                 "row", "published", "ours", "unit", "tol", "error", "verdict", "condition");
  for (const ValidatedRow& row : result.rows) text += line_of(row);
  const ValidationSummary summary = result.summary();
  text += fmt::format("\nRESULT      {} of {} counted rows within tolerance ({} rows shown)\n", summary.within,
                      summary.counted, summary.rows);
  text += fmt::format("ERROR       mean {:.2f} %, largest {:.2f} % (absolute, of the counted rows)\n",
                      summary.mean_abs_error_percent, summary.max_abs_error_percent);
  if (result.limited() != 0)
    text += fmt::format("STATUS      limit: {} rows were not measured to their end\n", result.limited());
  return text + fmt::format("DIGEST      {}\n", digest_groups(result.digest()));
}

std::string list_text(const std::vector<PublishedRow>& rows) {
  std::string text;
  for (const PublishedRow& row : rows) {
    text += fmt::format("{:<4}{:<12}{} {:>9} {}  {}: {} [{}, {}, {}]\n", row.experiment, row.machine,
                        padded(row.id, 22), row.value, padded(shortened(row.unit, 16), 16), row.quantity, row.condition,
                        row.source, row.confidence, row.read);
  }
  return text;
}

void write_json(const std::string& target, const ValidationResult& result) {
  if (target == "-") {
    print_result(validation_json(result));
  } else {
    write_file(target, validation_json(result));
  }
}

/// A document that gets the index, and the folder beside it for pages and plots: FILE/e1.md and FILE/NAME.svg for
/// FILE.md. Read, and its places looked at, before anything is measured.
class Document {
 public:
  explicit Document(const std::string& file)
      : file_(file),
        folder_(std::filesystem::path(file).replace_extension()),
        old_(read_text_file(file, largest_text, FileOwner::program)) {
    if (!old_.error.empty()) usage_error("CLI-VALUE", "--report: " + file + ": " + old_.error);
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error || !std::filesystem::is_directory(folder_, error))
      write_error(folder_.string(), error ? error.message() : "it is a file; pages and plots go there");
    for (std::size_t i = 0; i < sweeps().size(); ++i) claim_output(plot_file(i));
    for (const std::string& name : experiment_page_names()) claim_output((folder_ / name).string());
  }

  /// Measures the sweeps too.
  void write(const ValidationResult& result, const WorkerOptions& workers) const {
    const std::string text = with_validation(old_.text, validation_markdown(result, folder_.filename().string()));
    const std::vector<Plot> plots = measured_plots(sweeps(), workers);
    for (std::size_t i = 0; i < plots.size(); ++i) write_file(plot_file(i), svg_plot(plots[i]));
    for (const ExperimentPage& page : experiment_pages(result, std::filesystem::path(file_).filename().string()))
      write_file((folder_ / page.file_name).string(), page.text);
    write_file(file_, text);
  }

 private:
  [[nodiscard]] std::string plot_file(std::size_t number) const {
    return (folder_ / (std::string(sweeps()[number].name) + ".svg")).string();
  }

  std::string file_;
  std::filesystem::path folder_;
  TextFile old_;
};

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

}  // namespace

std::vector<Option> options_of_validate() {
  return {own.begin(), own.end()};
}

int validate_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(own), "validate");
  if (answered_help(options, "validate", own, more)) return 0;
  const std::vector<PublishedRow> rows = wanted_rows(options);
  const bool study = asks_for_study(options);
  if (options.has("list") && !study) {
    print_result(list_text(rows));
    return 0;
  }
  check_strict(options, rows);
  const WorkerOptions workers = worker_options(options);
  if (study) return validate_study(options, rows, workers);
  const RunLimits limits = run_limits(options);
  if (options.has("report") && rows.size() != published_rows().size())
    usage_error("CLI-VALUE", "--report needs all rows", "leave --machine and --only out");
  if (options.has("report") && limits.any())
    usage_error("CLI-VALUE", "--report needs all rows", "leave --max-cycles and --max-seconds out");
  std::optional<Document> document;
  if (options.has("report")) document.emplace(options.text("report"));
  const ValidationResult result = validate(rows, workers);
  if (document) document->write(result, workers);
  const std::string json = options.has("json") ? options.text("json", "-") : "";
  if (!json.empty()) write_json(json, result);
  if (json != "-") print_result(report_text(result));
  const ValidationSummary summary = result.summary();
  if (limits.limit_is_error && limits.max_seconds > 0.0 && result.limited() != 0) {
    print_diagnostics({time_limit_error(limits.max_seconds)}, console_options(options).errors);
    return static_cast<int>(ExitCode::host_limit);
  }
  return options.has("strict") && summary.within < summary.counted ? static_cast<int>(ExitCode::check_failed) : 0;
}

}  // namespace teslasim
