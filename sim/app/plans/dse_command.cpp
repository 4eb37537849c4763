// SPDX-License-Identifier: Apache-2.0
// `teslasim dse`: machines, or designs, of equal area: screened by a model, the best of them simulated.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/cli/run_options.h"
#include "sim/app/plans/slurm_options.h"
#include "sim/base/command_files.h"
#include "sim/base/output_file.h"
#include "sim/report/csv/plan_table.h"
#include "sim/report/html/plan_pages.h"
#include "sim/report/result/run_data.h"
#include "sim/report/text/format.h"
#include "sim/run/functional_predictions.h"
#include "sim/run/plans/dse_plan.h"
#include "sim/run/plans/plan_lock.h"
#include "sim/run/plans/sweep_run.h"
#include "sim/run/signals.h"
#include "sim/run/workload_run.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 3> dse_own_options{{
    {"jobs", 'j', Arity::value, "N", "runs at a time (default: processors of the host)"},
    {"runs-dir", 0, Arity::value, "DIR", "results go to DIR/dse-NAME (default: runs)"},
    {"model-only", 0, Arity::flag, "", "simulate nothing, whatever the plan keeps"},
}};

constexpr int table_digits = 6;

/// A machine of the exploration.
struct Design {
  std::vector<std::pair<std::string, std::string>> settings;
  std::optional<double> area;  ///< nothing when the machine cannot be
  double area_of_sms = 0.0, area_of_registers = 0.0, area_of_shared = 0.0;
  std::optional<double> predicted, simulated;  ///< ms, geometric mean over the inputs
  std::string why;                             ///< there is no such machine, or no prediction for it
  bool best = false;                           ///< no other design is smaller and faster
};

std::string results_line(const std::string& folder) {
  return "results: " + folder + "/table.csv   plot: " + folder + "/report.html\n";
}

std::vector<std::string> sets_of(const Design& design) {
  std::vector<std::string> sets;
  for (const auto& [key, value] : design.settings) sets.push_back(key + "=" + value);
  return sets;
}

void set_area(Design& design, const AreaConstants& area, const MachineSpec& machine) {
  const double sms = machine.sms();
  design.area_of_sms = area.fixed + sms * area.per_sm;
  design.area_of_registers = sms * machine.sm.registers * area.per_register;
  design.area_of_shared = sms * machine.sm.shared.bytes * area.per_shared_byte;
  design.area = design.area_of_sms + design.area_of_registers + design.area_of_shared;
}

/// Time of all launches of one input; nothing, and why, when the model has no prediction.
std::optional<double> predicted_ms(const DsePlan& plan, const Design& design, const std::string& input,
                                   std::string& why) {
  RunSettings settings;
  settings.workload.input = input;
  settings.configs = {plan.points.machine};
  settings.sets = sets_of(design);
  // What stops a simulation after so many cycles says nothing of the length of a pre-run.
  const RunLimits limits{never, plan.points.max_seconds, plan.points.limit_is_error};
  try {
    const FunctionalPredictions predicted = predict_functionally(std::move(settings), ProgressStyle::none, limits);
    if (predicted.status == RunStatus::limit) why = "a limit stopped the pre-run";
    if (predicted.status == RunStatus::limit) return std::nullopt;
    double ms = 0.0;
    for (const LaunchResult& launch : predicted.outcome.result.launches) {
      const auto found = std::find_if(launch.predictions.begin(), launch.predictions.end(),
                                      [&plan](const Prediction& p) { return p.model == plan.screen_model; });
      if (found == launch.predictions.end() || !found->seconds) {
        why = found == launch.predictions.end() ? "the kernel did not finish" : found->refusal;
        return std::nullopt;
      }
      ms += 1e3 * *found->seconds;
    }
    return ms;
  } catch (const InputError& error) {
    why = error.diagnostics().empty() ? error.what() : error.diagnostics().front().message;
    return std::nullopt;
  }
}

class Exploration {
 public:
  /// `simulations`: how the best designs are run.
  Exploration(const DsePlan& plan, std::string folder, SweepRequest simulations)
      : plan_(plan), folder_(std::move(folder)), simulations_(std::move(simulations)), console_(simulations_.console) {}

  int run(bool simulate) {
    collect();
    const auto impossible =
        std::count_if(designs_.begin(), designs_.end(), [](const Design& design) { return !design.area; });
    say(fmt::format("{}: {} designs, {} of the right area{}\n", simulations_.place, all_,
                    designs_.size() - static_cast<std::size_t>(impossible),
                    impossible == 0 ? "" : fmt::format(", {} impossible", impossible)));
    screen();
    if (caught_signal() != 0) return 128 + caught_signal();
    int status = 0;
    if (simulate && plan_.keep > 0) status = simulate_best();
    mark_best();
    ExplorationPage page{{plan_.points.name, plan_.points.machine, {}, table()}, plan_.screen_model, plan_.area.budget};
    for (const SweepAxis& axis : plan_.points.axes) page.plan.axes.push_back(axis.key);
    write_file(folder_ + "/table.csv", page.plan.table.csv());
    write_file(folder_ + "/report.html", exploration_page(page));
    say(text() + results_line(folder_));
    return status;
  }

 private:
  void say(const std::string& text) const {
    if (!console_.quiet) print_result(text);
  }

  void collect() {
    SweepPlan one_input = plan_.points;
    one_input.inputs.resize(1);
    for (const SweepPoint& point : sweep_points(one_input)) {
      ++all_;
      Design design;
      design.settings = point.settings;
      try {
        const LoadedMachine machine = load_machine({plan_.points.machine}, sets_of(design));
        set_area(design, plan_.area, machine.spec);
      } catch (const InputError& error) {  // values that do not go together
        design.why = error.diagnostics().front().message;
      }
      const double budget = plan_.area.budget;
      if (!design.area || (*design.area <= budget && *design.area >= (1.0 - plan_.area.tolerance) * budget))
        designs_.push_back(std::move(design));
    }
  }

  void screen() {
    for (Design& design : designs_) {
      if (caught_signal() != 0) return;
      if (!design.area) continue;
      double logarithms = 0.0;
      for (const std::string& input : plan_.points.inputs) {
        const std::optional<double> ms = predicted_ms(plan_, design, input, design.why);
        if (!ms) break;
        logarithms += std::log(*ms);
      }
      if (design.why.empty()) design.predicted = std::exp(logarithms / static_cast<double>(plan_.points.inputs.size()));
    }
    std::stable_sort(designs_.begin(), designs_.end(), [](const Design& a, const Design& b) {
      return a.predicted.value_or(HUGE_VAL) < b.predicted.value_or(HUGE_VAL);
    });
  }

  int simulate_best() {
    SweepPlan survivors = plan_.points;
    survivors.mode = "list";
    survivors.skip_if.clear();
    survivors.points.clear();
    for (const Design& design : designs_) {
      if (design.predicted && survivors.points.size() < plan_.keep) survivors.points.push_back(design.settings);
    }
    SweepStore store(survivors, folder_, own_program());
    const std::vector<SweepPoint> points = sweep_points(survivors);
    const int status = run_sweep(survivors, store, points, simulations_);
    for (std::size_t i = 0; i < survivors.points.size(); ++i) {
      double logarithms = 0.0;
      std::size_t finished = 0;
      for (std::size_t input = 0; input < survivors.inputs.size(); ++input) {
        const SweepPoint& point = points[input * survivors.points.size() + i];
        const std::optional<RunData> data = store.data_of(point);
        const std::optional<PointOutcome> outcome = store.outcome(point);
        const std::optional<double> ms = data && data->sound() ? data->find("time_ms") : std::nullopt;
        if (!ms || !outcome || outcome->exit != 0) continue;
        logarithms += std::log(*ms);
        ++finished;
      }
      if (finished == survivors.inputs.size())
        designs_[i].simulated = std::exp(logarithms / static_cast<double>(finished));
    }
    return status;
  }

  /// The Pareto front of area against time, simulated where there is one.
  void mark_best() {
    const bool any_simulated =
        std::any_of(designs_.begin(), designs_.end(), [](const Design& d) { return d.simulated.has_value(); });
    const auto time = [any_simulated](const Design& d) { return any_simulated ? d.simulated : d.predicted; };
    for (Design& design : designs_) {
      if (!time(design)) continue;
      design.best = std::none_of(designs_.begin(), designs_.end(), [&](const Design& other) {
        return time(other) && *time(other) <= *time(design) && *other.area <= *design.area &&
               (*time(other) < *time(design) || *other.area < *design.area);
      });
    }
  }

  [[nodiscard]] PlanTable table() const {
    std::vector<std::string> heading;
    for (const SweepAxis& axis : plan_.points.axes) heading.push_back(axis.key);
    for (const char* name : {"area_mm2", "area_sms_mm2", "area_registers_mm2", "area_shared_mm2", "predicted_ms",
                             "simulated_ms", "pareto", "why"})
      heading.emplace_back(name);
    PlanTable table(std::move(heading));
    for (const Design& design : designs_) {
      std::vector<PlanCell> row;
      for (const auto& [key, value] : design.settings) row.push_back(PlanCell::of_setting(value));
      row.push_back(PlanCell::of(design.area, table_digits));
      for (const double area : {design.area_of_sms, design.area_of_registers, design.area_of_shared})
        row.push_back(design.area ? PlanCell(area, table_digits) : PlanCell());
      row.push_back(PlanCell::of(design.predicted, table_digits));
      row.push_back(PlanCell::of(design.simulated, table_digits));
      row.emplace_back(design.best ? "yes" : "no");
      row.emplace_back(design.why);
      table.add(std::move(row));
    }
    return table;
  }

  [[nodiscard]] std::string text() const {
    constexpr std::size_t shown = 20;
    std::string text =
        fmt::format("{:>9} {:>13} {:>13}  {}\n", "area, mm2", "predicted, ms", "simulated, ms", "design");
    for (std::size_t i = 0; i < std::min(designs_.size(), shown); ++i) {
      const Design& design = designs_[i];
      const auto ms = [](const std::optional<double>& value) { return value ? milliseconds_number(*value) : "-"; };
      const std::string area = design.area ? fmt::format("{:.2f}", *design.area) : "-";
      std::string line = fmt::format("{:>9} {:>13} {:>13} {}", area, ms(design.predicted), ms(design.simulated),
                                     design.best ? "*" : " ");
      for (const std::string& set : sets_of(design)) line += " " + set;
      text += line + (design.why.empty() ? "" : "   (" + design.why + ")") + "\n";
    }
    if (designs_.size() > shown) text += fmt::format("... and {} more\n", designs_.size() - shown);
    return text + "* no other design is both smaller and faster\n";
  }

  const DsePlan& plan_;
  std::string folder_;
  SweepRequest simulations_;
  ConsoleOptions console_;
  std::vector<Design> designs_;
  std::size_t all_ = 0;
};

/// A model of designs at each number of processing elements: the best that it finds there.
int explore_designs(const DsePlan& plan, const std::string& folder, const ConsoleOptions& console) {
  struct Row {
    double pes = 0.0;
    Prediction prediction;
  };
  std::vector<Row> rows;
  const PredictionTerm* best = nullptr;
  double best_pes = 0.0;
  for (const double pes : plan.pes) {
    InputSet inputs = plan.design_inputs;
    for (const char* name : {"pes_first", "pes_last"}) inputs.set(name, pes, InputOrigin::given, "pes");
    rows.push_back({pes, evaluate(*plan.design, inputs)});
  }
  PlanTable table({"pes", "threads", "scratchpad_words_per_sm", "utilisation", "gops", "why"});
  std::string text =
      fmt::format("{:>5} {:>8} {:>12} {:>12} {:>8}\n", "PEs", "threads", "words per SM", "utilisation", "Gop/s");
  for (const Row& row : rows) {
    const auto value = [&row](const char* name) {
      const PredictionTerm* term = row.prediction.find_term(name);
      return term != nullptr ? PlanCell(term->value, table_digits) : PlanCell();
    };
    const std::array cells{value("best_threads"), value("scratchpad_words_per_sm"), value("utilisation"),
                           value("performance_gops")};
    table.add(
        {PlanCell(row.pes, table_digits), cells[0], cells[1], cells[2], cells[3], PlanCell(row.prediction.refusal)});
    text += fmt::format("{:>5g} {:>8} {:>12} {:>12} {:>8}  {}\n", row.pes, cells[0].text(), cells[1].text(),
                        cells[2].text(), cells[3].text(), row.prediction.refusal);
    const PredictionTerm* gops = row.prediction.find_term("performance_gops");
    if (gops == nullptr || (best != nullptr && gops->value <= best->value)) continue;
    best = gops;
    best_pes = row.pes;
  }
  write_file(folder + "/table.csv", table.csv());
  write_file(folder + "/report.html",
             designs_page({plan.points.name, std::string(plan.design->name), {}, std::move(table)}));
  if (best != nullptr) text += fmt::format("best: {:g} PEs, {:.1f} Gop/s\n", best_pes, best->value);
  if (!console.quiet) print_result(text + results_line(folder));
  return static_cast<int>(best != nullptr ? ExitCode::done : ExitCode::check_failed);
}

}  // namespace

std::vector<Option> options_of_dse() {
  std::vector<Option> options(dse_own_options.begin(), dse_own_options.end());
  options.insert(options.end(), slurm_options().begin(), slurm_options().end());
  options.insert(options.end(), limit_options().begin(), limit_options().end());
  return options;
}

int dse_command(const Arguments& arguments) {
  const std::vector<Option> table = options_of_dse();
  const ParsedOptions options = parse_options(arguments, with_common(table), "dse");
  if (answered_help(options, "dse", table)) return 0;
  if (const std::optional<int> exit = resumed(options, arguments)) return *exit;
  if (options.inputs().size() != 1) usage_error("CLI-INPUT", "dse takes one plan", "teslasim dse areas.toml");
  const std::string& place = options.inputs().front();
  DsePlan plan = read_dse_plan(place, plan_text(place));
  plan.points = with_limits(std::move(plan.points), run_limits(options));
  const std::string folder = plan_folder(options.text("runs-dir", "runs"), "dse-" + plan.points.name);
  const ConsoleOptions console = console_options(options);
  const SweepRequest simulations{place, options.number("jobs", processors(), 4096),     0, console,
                                 false, slurm_request(options, "dse", arguments, place)};
  if (plan.design == nullptr) {
    check_machine_of(plan.points, PlanValues::checked);
    check_inputs_of(plan.points);
  }
  const PlanLock lock(folder);
  for (const char* name : {"/table.csv", "/report.html"}) claim_output(folder + name);
  if (plan.design != nullptr) return explore_designs(plan, folder, console);
  return Exploration(plan, folder, simulations).run(!options.has("model-only"));
}

}  // namespace teslasim
