// SPDX-License-Identifier: Apache-2.0
// `teslasim sweep`: many runs on a local pool, resumable; or their commands for a cluster.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/app/command_functions.h"
#include "sim/app/sweep_run.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 4> own{{
    {"jobs", 'j', Arity::value, "N", "runs at a time (default: processors of the host)"},
    {"emit", 0, Arity::value, "parallel|slurm", "print commands instead of running them: one per line, or a job array"},
    {"runs-dir", 0, Arity::value, "DIR", "results go to DIR/sweep-NAME (default: runs)"},
    {"list", 0, Arity::flag, "", "list the points without running them"},
}};

/// Quoted for a shell.
std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:+,-") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char character : word) text += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return text + "'";
}

std::string command_line(SweepStore& store, const SweepPoint& point) {
  std::string line;
  for (const std::string& word : store.command(point)) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

void emit(const std::string& format, SweepStore& store, const std::vector<SweepPoint>& points, const SweepPlan& plan) {
  std::string text;
  if (format == "slurm") {
    text = fmt::format(
        "#!/bin/bash\n#SBATCH --job-name=sweep-{}\n#SBATCH --array=1-{}\ncase \"$SLURM_ARRAY_TASK_ID\" in\n", plan.name,
        points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      text += fmt::format("{}) {} ;;\n", i + 1, command_line(store, points[i]));
    text += "esac\n";
  } else {
    for (const SweepPoint& point : points) text += command_line(store, point) + "\n";
  }
  print_result(text);
}

}  // namespace

std::vector<Option> options_of_sweep() {
  return {own.begin(), own.end()};
}

int sweep_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(own), "sweep");
  if (answered_help(options, "sweep", own)) return 0;
  if (options.inputs().size() != 1) usage_error("CLI-INPUT", "sweep takes one plan", "teslasim sweep banks.toml");
  const std::string& place = options.inputs().front();
  const SweepPlan plan = read_sweep_plan(place, plan_text(place));
  check_machine_of(plan, PlanValues::left_to_points);
  const std::vector<SweepPoint> points = sweep_points(plan);
  std::size_t all = points.empty() ? 0 : points.back().number;
  SweepPlan unskipped = plan;
  unskipped.skip_if.clear();
  all = std::max(all, sweep_points(unskipped).size());
  if (options.has("list")) {
    for (const SweepPoint& point : points) print_result(describe(point) + "\n");
    return 0;
  }
  SweepStore store(plan, options.text("runs-dir", "runs") + "/sweep-" + plan.name, own_program());
  if (options.has("emit")) {
    constexpr std::array<std::string_view, 2> formats{"parallel", "slurm"};
    emit(options.choice("emit", formats), store, points, plan);
    return 0;
  }
  SweepRequest request{place, options.number("jobs", processors(), 4096), all - points.size(),
                       console_options(options)};
  return run_sweep(plan, store, points, request);
}

}  // namespace teslasim
