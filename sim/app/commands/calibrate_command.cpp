// SPDX-License-Identifier: Apache-2.0
// `teslasim calibrate`: the micro-benchmarks that the analytical models need, on the simulated machine.
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/base/command_files.h"
#include "sim/base/output_file.h"
#include "sim/run/calibration_cache.h"
#include "sim/validation/calibration_plan.h"
#include "sim/validation/validation.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 5> calibrate_own_options{{
    {"config", 'c', Arity::values, "CONFIG", "machine: a preset or a file; repeat to stack files"},
    {"set", 's', Arity::values, "KEY=VALUE", "override one value; applied last"},
    {"export", 0, Arity::value, "FILE.toml", "write the calibration to a file, - for stdout", Listing::common,
     FileUse::writes},
    {"force", 0, Arity::flag, "", "measure again although the cache has it"},
    {"jobs", 'j', Arity::value, "N", "measurements at a time (default: one per processor)"},
}};
constexpr std::string_view calibrate_notes =
    "\nThe result is kept by the machine's configuration, and 'models' and 'run' take their inputs from it. The folder "
    "is\n"
    "$TESLASIM_CACHE, else $XDG_CACHE_HOME/teslasim, else ~/.cache/teslasim.\n";

/// Puts measured values where the plan says. What a machine cannot do is left out, and told.
class Assembly {
 public:
  explicit Assembly(const LoadedMachine& machine) {
    calibration_.machine = machine.spec.name;
    calibration_.configuration = machine_fingerprint(machine);
    calibration_.program = program_fingerprint();
    calibration_.sms = machine.spec.sms();
  }

  void add(const CalibrationTask& task, const MeasureOutcome& outcome) {
    if (!outcome.number || !(*outcome.number > 0.0)) {
      missing_.push_back(
          fmt::format("{} ({}): {}", task.name, task.measure, outcome.why.empty() ? "no time passed" : outcome.why));
      return;
    }
    if (task.at.empty()) calibration_.constants[task.name] = *outcome.number;
    if (task.at.size() == 1) curves_[task.name][task.at[0]] = *outcome.number;
    if (task.at.size() == 3) calibration_.bandwidth.push_back({task.at[0], task.at[1], task.at[2], *outcome.number});
  }

  /// Curves with a value for each number of warps; others are left out.
  Calibration finish() {
    for (const auto& [name, points] : curves_) {
      if (points.size() > calibration_.warps.size()) {
        calibration_.warps.clear();
        for (const auto& [warps, value] : points) calibration_.warps.push_back(warps);
      }
    }
    for (const auto& [name, points] : curves_) {
      if (points.size() != calibration_.warps.size()) continue;
      for (const auto& [warps, value] : points) calibration_.curves[name].push_back(value);
    }
    return std::move(calibration_);
  }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  Calibration calibration_;
  std::map<std::string, std::map<double, double>> curves_;
  std::vector<std::string> missing_;
};

Calibration measured(const LoadedMachine& machine, const ParsedOptions& options) {
  const ConsoleOptions console = console_options(options);
  WorkerOptions workers;
  workers.jobs = static_cast<unsigned>(options.number("jobs", 0, 1024));
  if (console.progress == ProgressStyle::tty) {
    workers.progress = [](std::size_t done, std::size_t all) {
      print_notice(fmt::format("\r{} of {} measurements{}", done, all, done == all ? "\n" : ""));
    };
  }
  const std::vector<CalibrationTask> plan = calibration_plan(machine.spec);
  std::vector<MeasureTask> tasks;
  for (const CalibrationTask& task : plan) tasks.push_back({machine.spec.name, task.measure, &machine.spec});
  const std::vector<MeasureOutcome> outcomes = run_measurements(tasks, workers);
  Assembly assembly(machine);
  for (std::size_t i = 0; i < plan.size(); ++i) assembly.add(plan[i], outcomes[i]);
  if (!console.quiet) {
    for (const std::string& line : assembly.missing()) print_notice("note: not measured: " + line + "\n");
  }
  return assembly.finish();
}

std::string summary_of(const Calibration& calibration) {
  std::string text =
      fmt::format("{}, calibration of configuration {}\n", calibration.machine, calibration.configuration);
  for (const auto& [name, value] : calibration.constants) {
    const InputInfo* info = find_input_info(name);
    text += fmt::format("  {:<22}{:>12.4g} {:<14}{}\n", name, value, info != nullptr ? info->unit : "Gop/s",
                        info != nullptr ? info->meaning : "");
  }
  if (calibration.warps.empty()) return text;
  text += "  with resident warps   ";
  constexpr std::array<double, 5> shown{1, 6, 8, 16, 32};
  for (const double warps : shown) text += fmt::format("{:>9.0f}", warps);
  for (const auto& [name, values] : calibration.curves) {
    text += fmt::format("\n  {:<22}", name);
    for (const double warps : shown) text += fmt::format("{:>9.4g}", calibration.at_warps(name, warps));
  }
  return text + "\n";
}

/// Measuring takes long: what would keep the result away is said before.
void claim_cache(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) write_error(folder, error.message());
  claim_output(file);
}

}  // namespace

std::vector<Option> options_of_calibrate() {
  return {calibrate_own_options.begin(), calibrate_own_options.end()};
}

int calibrate_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(calibrate_own_options), "calibrate");
  if (answered_help(options, "calibrate", calibrate_own_options, calibrate_notes)) return 0;
  if (!options.inputs().empty()) usage_error("CLI-INPUT", "calibrate takes no input", "name the machine with -c");
  const LoadedMachine machine = load_machine(options.all("config"), options.all("set"));
  const std::string file = calibration_file(machine), target = options.text("export");
  std::optional<Calibration> calibration;
  if (!options.has("force")) calibration = cached_calibration(machine);
  if (!calibration) {
    if (!file.empty()) claim_cache(file);
    calibration = measured(machine, options);
    if (!file.empty()) write_file(file, calibration_toml(*calibration));
  }
  if (target == "-") {
    print_result(calibration_toml(*calibration));
    return 0;
  }
  if (!target.empty()) write_file(target, calibration_toml(*calibration));
  if (!console_options(options).quiet)
    print_result(summary_of(*calibration) + (file.empty() ? "" : "kept in " + file + "\n"));
  return 0;
}

}  // namespace teslasim
