// SPDX-License-Identifier: Apache-2.0
// `teslasim sweep`: many runs, on a local pool or a cluster, resumable.
#include <fmt/format.h>

#include <array>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/cli/run_options.h"
#include "sim/app/plans/slurm_options.h"
#include "sim/base/command_files.h"
#include "sim/run/plans/plan_lock.h"
#include "sim/run/plans/shell_word.h"
#include "sim/run/plans/sweep_run.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 4> sweep_own_options{{
    {"jobs", 'j', Arity::value, "N", "runs at a time (default: processors of the host)"},
    {"emit", 0, Arity::value, "parallel|slurm", "print commands instead of running them: one per line, or a job array"},
    {"runs-dir", 0, Arity::value, "DIR", "results go to DIR/sweep-NAME (default: runs)"},
    {"list", 0, Arity::flag, "", "list the points without running them"},
}};

std::string command_line(SweepStore& store, const SweepPoint& point) {
  std::string line;
  for (const std::string& word : store.command(point)) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

/// Equal points are one command: two jobs must not write into the same folder.
std::vector<std::string> commands_of(SweepStore& store, const std::vector<SweepPoint>& points) {
  std::vector<std::string> commands;
  for (const SweepPoint& point : store.distinct(points)) commands.push_back(command_line(store, point));
  return commands;
}

void emit(const std::string& format, const std::vector<std::string>& commands, const SweepPlan& plan) {
  std::string text;
  if (format == "slurm") {
    text = fmt::format(
        "#!/bin/bash\n#SBATCH --job-name=sweep-{}\n#SBATCH --array=1-{}\ncase \"$SLURM_ARRAY_TASK_ID\" in\n", plan.name,
        commands.size());
    for (std::size_t i = 0; i < commands.size(); ++i) text += fmt::format("{}) {} ;;\n", i + 1, commands[i]);
    text += "esac\n";
  } else {
    for (const std::string& command : commands) text += command + "\n";
  }
  print_result(text);
}

}  // namespace

std::vector<Option> options_of_sweep() {
  std::vector<Option> options(sweep_own_options.begin(), sweep_own_options.end());
  options.insert(options.end(), slurm_options().begin(), slurm_options().end());
  options.insert(options.end(), limit_options().begin(), limit_options().end());
  return options;
}

int sweep_command(const Arguments& arguments) {
  const std::vector<Option> table = options_of_sweep();
  const ParsedOptions options = parse_options(arguments, with_common(table), "sweep");
  if (answered_help(options, "sweep", table)) return 0;
  if (const std::optional<int> exit = resumed(options, arguments)) return *exit;
  if (options.inputs().size() != 1) usage_error("CLI-INPUT", "sweep takes one plan", "teslasim sweep banks.toml");
  const std::string& place = options.inputs().front();
  const SweepPlan plan = with_limits(read_sweep_plan(place, plan_text(place)), run_limits(options));
  check_machine_of(plan, PlanValues::left_to_points);
  check_inputs_of(plan);
  const std::vector<SweepPoint> points = sweep_points(plan);
  if (options.has("list")) {
    for (const SweepPoint& point : points) print_result(describe(point) + "\n");
    return 0;
  }
  const std::string folder = plan_folder(options.text("runs-dir", "runs"), "sweep-" + plan.name);
  if (options.has("emit")) {
    constexpr std::array<std::string_view, 2> formats{"parallel", "slurm"};
    const std::string format = options.choice("emit", formats);
    SweepStore store(plan, folder, own_program());
    emit(format, commands_of(store, points), plan);
    return 0;
  }
  const SweepRequest request{place,
                             options.number("jobs", processors(), 4096),
                             plan_size(plan) - points.size(),
                             console_options(options),
                             true,
                             slurm_request(options, "sweep", arguments, place)};
  const PlanLock lock(folder);
  SweepStore store(plan, folder, own_program());
  for (const std::string& file : {store.table_file(), store.page_file()}) claim_output(file);
  return run_sweep(plan, store, points, request);
}

}  // namespace teslasim
