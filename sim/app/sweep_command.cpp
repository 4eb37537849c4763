// SPDX-License-Identifier: Apache-2.0
// `teslasim sweep`: many runs on a local pool, resumable; or their commands for a cluster.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <thread>

#include "sim/app/atomic_file.h"
#include "sim/app/command_functions.h"
#include "sim/app/console.h"
#include "sim/app/process_pool.h"
#include "sim/app/signals.h"
#include "sim/app/sweep_plan.h"
#include "sim/app/sweep_store.h"
#include "sim/base/text_file.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 4> own{{
    {"jobs", 'j', Arity::value, "N", "runs at a time (default: processors of the host)"},
    {"emit", 0, Arity::value, "parallel|slurm", "print commands instead of running them: one per line, or a job array"},
    {"runs-dir", 0, Arity::value, "DIR", "results go to DIR/sweep-NAME (default: runs)"},
    {"list", 0, Arity::flag, "", "list the points without running them"},
}};

std::string text_of(const std::string& path) {
  TextFile file = read_text_file(path);
  if (file.error.empty()) return std::move(file.text);
  Diagnostic diagnostic;
  diagnostic.code = "FILE-READ";
  diagnostic.message = "cannot read '" + path + "': " + file.error;
  throw InputError(ExitCode::configuration, std::move(diagnostic));
}

std::string own_program() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "teslasim" : path.string();
}

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

std::string described(const SweepPoint& point) {
  std::string text = fmt::format("point {}  {}", point.number, std::filesystem::path(point.input).filename().string());
  for (const auto& [key, value] : point.settings) text += " " + key + "=" + value;
  return text;
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

/// "3 x 4 = 12 points": inputs, then the axes.
std::string shape(const SweepPlan& plan, std::size_t all) {
  std::string text;
  if (plan.mode == "grid") {
    if (plan.inputs.size() > 1) text += fmt::format("{} inputs", plan.inputs.size());
    for (const SweepAxis& axis : plan.axes) text += (text.empty() ? "" : " x ") + std::to_string(axis.values.size());
    text += " = ";
  }
  return text + fmt::format("{} points", all);
}

class SweepRun {
 public:
  SweepRun(const SweepPlan& plan, SweepStore& store, std::vector<SweepPoint> points, const ConsoleOptions& console)
      : plan_(plan), store_(store), points_(std::move(points)), console_(console) {}

  int run(const std::string& place, std::size_t width, std::size_t skipped) {
    for (const SweepPoint& point : points_) {
      if (!store_.outcome(point)) to_run_.push_back(point);
    }
    const std::size_t done = points_.size() - to_run_.size();
    say(fmt::format("{}: {}{}, {} done earlier, {} to run\n", place, shape(plan_, points_.size() + skipped),
                    skipped == 0 ? "" : fmt::format(", {} skipped", skipped), done, to_run_.size()));
    std::vector<PoolJob> jobs;
    for (const SweepPoint& point : to_run_) jobs.push_back({store_.command(point), store_.error_file(point)});
    catch_signals();
    const bool complete = run_pool(
        jobs, width, [this](const FinishedJob& job, const PoolProgress& progress) { finished(job, progress); },
        [] { return caught_signal() != 0; });
    write_file(store_.table_file(), store_.table(points_));
    if (!complete) {
      print_notice("interrupted: the same command goes on where it stopped\n");
      return 128 + caught_signal();
    }
    return report();
  }

 private:
  void say(const std::string& text) const {
    if (!console_.quiet) print_result(text);
  }

  void finished(const FinishedJob& job, const PoolProgress& progress) {
    const SweepPoint& point = to_run_[job.index];
    if (job.status >= 128 && caught_signal() != 0) return;
    store_.record(point, job.status);
    if (job.status != 0) print_notice(failure(point, *store_.outcome(point)));
    if (console_.quiet || console_.progress == ProgressStyle::none) return;
    const auto now = std::chrono::steady_clock::now();
    constexpr std::chrono::seconds interval{5};
    if (now - last_ < interval && progress.finished != to_run_.size()) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    const auto left = static_cast<double>(to_run_.size() - progress.finished);
    const double eta = progress.finished == 0 ? 0.0 : seconds * left / static_cast<double>(progress.finished);
    print_notice(fmt::format("  {}/{}  running {}  failed {}  ETA {:.0f} s\n", progress.finished, to_run_.size(),
                             progress.running, progress.failed, eta));
  }

  static std::string failure(const SweepPoint& point, const PointOutcome& outcome) {
    return fmt::format("{}  FAILED exit {}: {}\n", described(point), outcome.exit, outcome.reason);
  }

  int report() {
    std::size_t failed = 0;
    std::string text;
    for (const SweepPoint& point : points_) {
      const std::optional<PointOutcome> outcome = store_.outcome(point);
      if (!outcome || outcome->exit == 0) continue;
      ++failed;
      text += failure(point, *outcome);
    }
    say(text + fmt::format("results: {} ({} rows, {} failed)\n", store_.table_file(), points_.size(), failed));
    return static_cast<int>(failed == 0 ? ExitCode::done : ExitCode::check_failed);
  }

  const SweepPlan& plan_;
  SweepStore& store_;
  std::vector<SweepPoint> points_, to_run_;
  ConsoleOptions console_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = begin_;
};

}  // namespace

int sweep_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(own), "sweep");
  if (answered_help(options, "sweep", own)) return 0;
  if (options.inputs().size() != 1) usage_error("CLI-INPUT", "sweep takes one plan", "teslasim sweep banks.toml");
  const std::string& place = options.inputs().front();
  const SweepPlan plan = read_sweep_plan(place, text_of(place));
  const std::vector<SweepPoint> points = sweep_points(plan);
  std::size_t all = points.empty() ? 0 : points.back().number;
  SweepPlan unskipped = plan;
  unskipped.skip_if.clear();
  all = std::max(all, sweep_points(unskipped).size());
  if (options.has("list")) {
    for (const SweepPoint& point : points) print_result(described(point) + "\n");
    return 0;
  }
  SweepStore store(plan, options.text("runs-dir", "runs") + "/sweep-" + plan.name, own_program());
  if (options.has("emit")) {
    constexpr std::array<std::string_view, 2> formats{"parallel", "slurm"};
    emit(options.choice("emit", formats), store, points, plan);
    return 0;
  }
  const std::uint64_t processors = std::max(1U, std::thread::hardware_concurrency());
  const std::uint64_t width = options.number("jobs", processors, 4096);
  return SweepRun(plan, store, points, console_options(options)).run(place, width, all - points.size());
}

}  // namespace teslasim
