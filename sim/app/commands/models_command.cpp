// SPDX-License-Identifier: Apache-2.0
// `teslasim models`: what the analytical models say, from a functional pre-run of an input, for finished runs, or from
// inputs written by hand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/cli/run_options.h"
#include "sim/base/command_files.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/model/given_file.h"
#include "sim/report/text/format.h"
#include "sim/report/text/prediction_report.h"
#include "sim/run/functional_predictions.h"
#include "sim/run/run_files.h"
#include "sim/run/run_reader.h"
#include "sim/run/signals.h"
#include "sim/run/watch.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 9> models_own_options{{
    {"explain", 0, Arity::flag, "", "every term of every model"},
    {"inputs", 0, Arity::flag, "", "every input with its origin"},
    {"model", 0, Arity::values, "NAME", "only this model (may be repeated)"},
    {"given", 0, Arity::value, "FILE.toml", "evaluate a model on inputs written by hand, without a kernel"},
    {"calibration", 0, Arity::value, "FILE|none", "inputs of 'teslasim calibrate' (default: the cache)"},
    {"list", 0, Arity::flag, "", "list the models"},
    {"launch-details", 0, Arity::value, "all|none|A-B,C...",
     "launches with predictions of their own; the others are added up by kernel", Listing::rare},
    {"json", 0, Arity::optional_value, "FILE", "write JSON, to stdout when FILE is - or left out", Listing::common,
     FileUse::writes},
    {"runs-dir", 0, Arity::value, "DIR", "where numbered runs are (default: runs)", Listing::rare},
}};

std::vector<Option> all_options() {
  std::vector<Option> options(models_own_options.begin(), models_own_options.end());
  options.insert(options.begin(), workload_options().begin(), workload_options().end());
  options.insert(options.end(), limit_options().begin(), limit_options().end());
  return options;
}

int list_models() {
  std::string text;
  for (const Model& model : models()) {
    text += fmt::format("  {:<22} {}\n  {:<22}   {}\n", model.name, model.purpose, "", model.source);
  }
  print_result(text + "teslasim explain NAME says what a model assumes and needs.\n");
  return 0;
}

PredictionDetail detail_of(const ParsedOptions& options) {
  if (options.has("inputs")) return PredictionDetail::inputs;
  return options.has("explain") ? PredictionDetail::terms : PredictionDetail::table;
}

void emit_json(const ParsedOptions& options, const std::string& json) {
  const std::string file = options.text("json");
  file == "-" ? print_result(json) : write_file(file, json);
}

/// Keeps the models that were asked for; a usage error when one does not exist or does not predict launches.
void select(std::vector<LaunchPredictions>& launches, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<std::string> known;
  for (const Model& model : models()) {
    if (model.of_launch()) known.emplace_back(model.name);
  }
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (find_model(name) != nullptr) {
      usage_error("CLI-MODEL", "the model '" + name + "' is not about a launch", "feed it with --given FILE.toml");
    }
    const std::string near = nearest_word(name, known);
    usage_error("CLI-MODEL", "there is no model '" + name + "'",
                near.empty() ? "teslasim models --list shows the models" : "did you mean '" + near + "'?");
  }
  for (LaunchPredictions& launch : launches) {
    std::erase_if(launch.predictions, [&names](const Prediction& prediction) {
      return std::find(names.begin(), names.end(), prediction.model) == names.end();
    });
  }
}

std::string text_of(const std::string& path) {
  TextFile file = read_text_file(path);
  if (file.error.empty()) return std::move(file.text);
  Diagnostic diagnostic;
  diagnostic.code = "GIVEN-FILE";
  diagnostic.message = "cannot read '" + path + "': " + file.error;
  diagnostic.help = "give a file of model inputs (teslasim explain GIVEN-FILE)";
  throw InputError(ExitCode::configuration, std::move(diagnostic));
}

int evaluate_given(const ParsedOptions& options) {
  const std::vector<std::string> names = options.all("model");
  if (names.size() > 1) usage_error("CLI-MODEL", "--given evaluates one model", "give --model once");
  if (!options.inputs().empty()) usage_error("CLI-INPUT", "--given takes no kernel", "leave out the input or --given");
  const std::string file = options.text("given");
  const GivenInputs given = read_given_inputs(file, text_of(file), names.empty() ? "" : names.front());
  const Prediction prediction = evaluate(*given.model, given.inputs);
  if (options.has("json")) {
    emit_json(options, prediction_json({{std::string(given.model->name), {prediction}, {}}}));
  }
  if (options.text("json") != "-") print_result(prediction_terms(prediction, detail_of(options)));
  if (prediction.refusal.empty()) return 0;
  Diagnostic diagnostic;
  diagnostic.code = "GIVEN-REFUSED";
  diagnostic.message = "'" + std::string(given.model->name) + "' makes no prediction of this: " + prediction.refusal;
  diagnostic.where.file = file;
  throw InputError(ExitCode::configuration, std::move(diagnostic));
}

class ModelSession {
 public:
  explicit ModelSession(const ParsedOptions& options)
      : options_(options), limits_(run_limits(options)), console_(console_options(options)) {}

  int run() {
    const std::string runs = options_.text("runs-dir", "runs");
    if (options_.inputs().size() > 1 && options_.has("json") && options_.text("json") != "-")
      usage_error("CLI-INPUT", "--json=FILE takes one run: the second would overwrite the first",
                  "one command per run");
    std::error_code error;
    for (const std::string& word : options_.inputs()) {
      const bool is_run = word == "latest" || word.find_first_not_of("0123456789") == std::string::npos ||
                          std::filesystem::is_regular_file(word + "/run.json", error) ||
                          std::filesystem::is_regular_file(word + "/status.json", error);
      if (is_run) refuse_settings(word);
      is_run ? predict_run(find_run(runs, word)) : predict_input();
      if (stopped_) return 128 + caught_signal();
    }
    if (options_.inputs().empty())
      usage_error("CLI-INPUT", "models needs an input, a run or --given", "teslasim models --help");
    if (failed_) return static_cast<int>(ExitCode::kernel);
    if (!limits_.limit_is_error || !out_of_time_) return 0;
    print_diagnostics({time_limit_error(limits_.max_seconds)}, console_.errors);
    return static_cast<int>(ExitCode::host_limit);
  }

 private:
  /// A finished run has its launch and its machine.
  void refuse_settings(const std::string& run) const {
    for (const Option& option : workload_options()) {
      if (!options_.has(option.name)) continue;
      usage_error("CLI-VALUE", fmt::format("--{} has no meaning for '{}', which is a finished run", option.name, run),
                  "name the kernel instead of the run");
    }
  }

  void predict_run(const std::string& directory) {
    predict(RunReader(directory).record().settings, RunReader(directory).simulated_ms());
  }

  void predict_input() {
    if (options_.inputs().size() != 1) usage_error("CLI-INPUT", "models takes one input, or any number of runs", "");
    RunSettings settings;
    settings.workload = workload_request(options_, "models");
    settings.configs = options_.all("config");
    settings.sets = machine_sets(options_);
    settings.launch_details = options_.text("launch-details");
    predict(std::move(settings), {});
  }

  void predict(RunSettings settings, const std::vector<std::optional<double>>& times) {
    settings.calibration = options_.text("calibration");
    FunctionalPredictions predicted = predict_functionally(std::move(settings), console_.progress, limits_);
    const RunOutcome& outcome = predicted.outcome;
    const bool limited = predicted.status == RunStatus::limit;
    stopped_ = predicted.status == RunStatus::interrupted;
    failed_ = failed_ || (!stopped_ && !limited && predicted.status != RunStatus::ok);
    out_of_time_ = out_of_time_ || predicted.out_of_time;
    print_diagnostics(outcome.errors, console_.errors);
    if (limited) {
      print_notice(fmt::format("status limit: --{} stopped the pre-run; a launch that did not end has no predictions\n",
                               predicted.out_of_time ? "max-seconds" : "max-cycles"));
    }
    std::vector<LaunchPredictions>& launches = predicted.launches;
    for (std::size_t i = 0; i < std::min(launches.size(), times.size()); ++i) launches[i].simulated_ms = times[i];
    select(launches, options_.all("model"));
    tell(outcome.result, launches, predicted.status);
  }

  void tell(const Result& result, const std::vector<LaunchPredictions>& launches, RunStatus status) const {
    if (options_.has("json")) emit_json(options_, prediction_json(launches, status));
    if (options_.text("json") == "-" || console_.quiet) return;
    print_result(prediction_text(launches, detail_of(options_)));
    print_result(fmt::format("inputs taken from: functional pre-run on {} ({} warp instructions, {:.2f} s){}\n",
                             result.machine.name, grouped(result.warp_instructions()), result.host.seconds,
                             options_.has("inputs") ? "" : "; every input with its origin: --inputs"));
  }

  const ParsedOptions& options_;
  RunLimits limits_;
  ConsoleOptions console_;
  bool stopped_ = false, failed_ = false, out_of_time_ = false;
};

}  // namespace

std::vector<Option> options_of_models() {
  return all_options();
}

int models_command(const Arguments& arguments) {
  const std::vector<Option> options_table = all_options();
  const ParsedOptions options = parse_options(arguments, with_common(options_table), "models");
  if (answered_help(options, "models", options_table)) return 0;
  if (options.has("list")) {
    if (options.has("json")) usage_error("CLI-VALUE", "--json has no meaning with --list", "leave one of them out");
    return list_models();
  }
  if (options.has("given")) return evaluate_given(options);
  return ModelSession(options).run();
}

}  // namespace teslasim
