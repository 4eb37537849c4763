// SPDX-License-Identifier: Apache-2.0
// `teslasim compare`: runs against runs, a run against the analytical models, runs against a hardware profile.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "sim/app/cli/command_functions.h"
#include "sim/base/command_files.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/report/compare/compare.h"
#include "sim/report/compare/hardware_profile.h"
#include "sim/report/compare/model_compare.h"
#include "sim/run/console.h"
#include "sim/run/functional_predictions.h"
#include "sim/run/report_files.h"
#include "sim/run/run_directory.h"
#include "sim/run/run_reader.h"
#include "sim/run/signals.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 6> compare_own_options{{
    {"all", 0, Arity::flag, "", "list every statistic that changed by more than 1 %"},
    {"fail-on", 0, Arity::values, "CONDITION", "exit 1 when a change exceeds it, e.g. 'time_ms>+2%'"},
    {"hw", 0, Arity::value, "FILE.csv", "against measurements: workload,metric,value,unit,source"},
    {"html", 0, Arity::value, "FILE", "write both runs as one page, with where the time went", Listing::common,
     FileUse::writes},
    {"json", 0, Arity::optional_value, "FILE", "write JSON, to stdout when FILE is - or left out", Listing::common,
     FileUse::writes},
    {"runs-dir", 0, Arity::value, "DIR", "where numbered runs are (default: runs)", Listing::rare},
}};

constexpr std::size_t largest_table = std::size_t{16} << 20U;

std::string text_of(const std::string& path) {
  TextFile file = read_text_file(path, largest_table);
  if (file.error.empty()) return std::move(file.text);
  Diagnostic diagnostic;
  diagnostic.code = "FILE-READ";
  diagnostic.message = "cannot read '" + path + "': " + file.error;
  diagnostic.help = "give a table of measurements: workload,metric,value,unit,source";
  throw InputError(ExitCode::input, std::move(diagnostic));
}

struct OpenedRun {
  RunReader reader;
  RunData data;
};

OpenedRun open(const std::string& runs, const std::string& word) {
  const RunReader reader(find_run(runs, word));
  return {reader, reader.data()};
}

std::map<std::string, std::string> configuration_of(const OpenedRun& run) {
  std::map<std::string, std::string> values;
  for (const ConfigurationRow& row : run.reader.configuration()) values[row.key] = row.value;
  return values;
}

/// Names of keys with the values of both runs.
std::string configuration_difference(const OpenedRun& left, const OpenedRun& right) {
  constexpr std::size_t shown = 5;
  const std::map<std::string, std::string> a = configuration_of(left), b = configuration_of(right);
  std::set<std::string> keys;
  for (const auto& [key, value] : a) keys.insert(key);
  for (const auto& [key, value] : b) keys.insert(key);
  std::string text;
  std::size_t count = 0;
  const auto value_in = [](const auto& values, const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? std::string("-") : found->second;
  };
  for (const std::string& key : keys) {
    const std::string from = value_in(a, key), to = value_in(b, key);
    if (from == to) continue;
    if (++count <= shown) text += "  " + key + ": " + from + " -> " + to + "\n";
  }
  if (count == 0) return "config: identical";
  if (count > shown) text += fmt::format("  ... and {} more\n", count - shown);
  return fmt::format("config: {} keys differ\n{}", count, text);
}

/// Hashes of the inputs by file name.
std::map<std::string, std::string> inputs_of(const OpenedRun& run) {
  std::map<std::string, std::string> inputs;
  const std::optional<RunIdentity> identity = run.reader.identity();
  if (!identity) return inputs;
  for (const RunInput& input : identity->inputs)
    inputs[std::filesystem::path(input.path).filename().string()] = input.hash;
  return inputs;
}

/// In what two runs differ before they began: inputs and configuration.
std::string identity(const OpenedRun& left, const OpenedRun& right) {
  const std::map<std::string, std::string> a = inputs_of(left), b = inputs_of(right);
  std::size_t different = 0;
  for (const auto& [name, hash] : b) different += a.contains(name) && a.at(name) == hash ? 0 : 1;
  const std::string inputs = different == 0 ? "inputs: identical" : fmt::format("inputs: {} files differ", different);
  std::string configuration = configuration_difference(left, right);
  if (configuration.ends_with('\n')) configuration.pop_back();
  return inputs + "; " + configuration + "\n";
}

/// Of each run against the first.
std::string identities(const std::vector<OpenedRun>& runs) {
  std::string text;
  for (std::size_t i = 1; i < runs.size(); ++i)
    text += (runs.size() == 2 ? "" : runs[i].data.label() + ": ") + identity(runs.front(), runs[i]);
  return text;
}

int against_models(const OpenedRun& run, const ParsedOptions& options) {
  std::vector<LaunchPredictions> launches = run.reader.predictions();
  if (launches.empty()) {
    usage_error("CLI-INPUT", "the run '" + run.data.label() + "' has no predictions to compare with",
                "name a second run, or simulate in timing mode");
  }
  if (!run.data.sound()) print_notice("note: " + run.data.label() + " " + run.data.flaw() + "\n");
  const std::string missing = complete_predictions(run.reader.directory(), run.data, launches, ProgressStyle::none);
  if (caught_signal() != 0) return 128 + caught_signal();
  const std::string target = options.text("json");
  if (options.has("json")) {
    const std::string json = model_compare_json(launches, run.data);
    target == "-" ? print_result(json) : write_file(target, json);
  }
  if (target != "-" && !options.has("quiet")) print_result(model_compare_text(launches, run.data));
  if (!missing.empty()) print_notice("note: no interval analysis of this run: " + missing + "\n");
  return 0;
}

int against_runs(const std::vector<OpenedRun>& opened, const ParsedOptions& options) {
  std::vector<RunData> runs;
  for (const OpenedRun& run : opened) runs.push_back(run.data);
  std::vector<CheckedLimit> limits;
  for (const std::string& text : options.all("fail-on")) limits.push_back(check_limit(parse_change_limit(text), runs));
  CompareOptions compare;
  compare.all = options.has("all");
  const std::string target = options.text("json");
  if (options.has("json")) {
    const std::string json = compare_json(runs, compare, limits);
    target == "-" ? print_result(json) : write_file(target, json);
  }
  if (target != "-" && !options.has("quiet")) print_result(compare_text(runs, compare) + identities(opened));
  if (!limits.empty()) target == "-" ? print_notice(limit_report(limits)) : print_result(limit_report(limits));
  const bool failed = std::any_of(limits.begin(), limits.end(), [](const CheckedLimit& limit) { return limit.failed; });
  return static_cast<int>(failed ? ExitCode::check_failed : ExitCode::done);
}

/// What was asked for must be answered: an option that has no effect would be a gate that is open.
void check_use(const ParsedOptions& options) {
  if (options.inputs().empty()) usage_error("CLI-INPUT", "compare needs runs", "teslasim compare 1 2");
  for (const std::string& text : options.all("fail-on")) (void)parse_change_limit(text);
  if (options.has("fail-on") && options.inputs().size() < 2)
    usage_error("CLI-FAIL-ON", "--fail-on is about the change between runs", "name two runs");
  if (options.has("html") && options.inputs().size() != 2)
    usage_error("CLI-INPUT", "--html puts two runs beside each other", "teslasim compare 1 2 --html compare.html");
  for (const char* other : {"fail-on", "json", "all"}) {
    if (options.has("hw") && options.has(other))
      usage_error("CLI-INPUT", fmt::format("--{} is about runs against runs, --hw about measurements", other),
                  "run two commands");
  }
}

/// "latest" may be the run that it is held against: then no condition can fail.
void check_gate(const std::vector<OpenedRun>& runs, const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < runs.size(); ++i) {
    std::error_code error;
    if (!std::filesystem::equivalent(runs[0].reader.directory(), runs[i].reader.directory(), error)) continue;
    usage_error("CLI-FAIL-ON", fmt::format("'{}' and '{}' are the same run: no change could fail", words[0], words[i]),
                "name two runs");
  }
}

}  // namespace

std::vector<Option> options_of_compare() {
  return {compare_own_options.begin(), compare_own_options.end()};
}

int compare_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(compare_own_options), "compare");
  if (answered_help(options, "compare", compare_own_options)) return 0;
  check_use(options);
  std::vector<OpenedRun> runs;
  for (const std::string& word : options.inputs()) runs.push_back(open(options.text("runs-dir", "runs"), word));
  if (options.has("fail-on")) check_gate(runs, options.inputs());
  if (options.has("hw")) note_input(options.text("hw"));  // read after the page was written
  if (options.has("html")) {
    write_report({runs[0].reader.run(), runs[1].reader.run()}, options.text("html"));
    if (!options.has("quiet")) print_notice("wrote " + options.text("html") + "\n");
  }
  if (options.has("hw")) {
    const std::string file = options.text("hw");
    std::vector<RunData> data;
    for (const OpenedRun& run : runs) data.push_back(run.data);
    print_result(hardware_compare_text(read_hardware_profile(file, text_of(file)), data));
    return 0;
  }
  return runs.size() == 1 ? against_models(runs.front(), options) : against_runs(runs, options);
}

}  // namespace teslasim
