// SPDX-License-Identifier: Apache-2.0
#include "sim/run/plans/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/report/html/plan_pages.h"
#include "sim/run/process_pool.h"
#include "sim/run/signals.h"
#include "sim/run/slurm/slurm_study.h"
#include "sim/run/slurm/submissions.h"
#include "sim/run/usage_error.h"

namespace teslasim {
namespace {

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

/// ", 3 skipped", or nothing when there are none.
std::string some(std::size_t count, const char* what) {
  return count == 0 ? "" : fmt::format(", {} {}", count, what);
}

class SweepRun {
 public:
  SweepRun(const SweepPlan& plan, SweepStore& store, std::vector<SweepPoint> points, const SweepRequest& request)
      : plan_(plan), store_(store), points_(std::move(points)), request_(request), console_(request.console) {}

  int run() {
    const std::vector<SweepPoint> distinct = store_.distinct(points_);
    for (const SweepPoint& point : distinct) {
      if (store_.to_run(point)) to_run_.push_back(point);
    }
    say(fmt::format("{}: {}{}{}, {} done earlier, {} to run\n", request_.place,
                    shape(plan_, points_.size() + request_.skipped), some(request_.skipped, "skipped"),
                    some(points_.size() - distinct.size(), "equal to others"), distinct.size() - to_run_.size(),
                    to_run_.size()));
    catch_signals();
    const bool complete = request_.slurm ? run_there(*request_.slurm) : run_here();
    write_results();
    return complete ? report() : 128 + caught_signal();
  }

 private:
  bool run_here() {
    std::vector<PoolJob> jobs;
    for (const SweepPoint& point : to_run_) jobs.push_back({store_.command(point), store_.error_file(point)});
    const bool complete = run_pool(
        jobs, request_.width, [this](const FinishedJob& job, const PoolProgress& progress) { finished(job, progress); },
        [] { return caught_signal() != 0; });
    if (!complete) print_notice("interrupted: the same command goes on where it stopped\n");
    return complete;
  }

  bool run_there(const SlurmRequest& slurm) {
    Study study;
    study.folder = store_.folder();
    study.name = std::filesystem::path(study.folder).filename().string();
    for (const SweepPoint& point : to_run_)
      study.points.push_back({store_.directory(point), store_.command_anywhere(point)});
    study.settled = [this](std::size_t point, int exit) { settled(to_run_[point], exit); };
    StudyEnd end = run_on_slurm(study, slurm, console_);
    for (LostPoint& lost : end.lost) lost_.emplace_back(to_run_[lost.point], std::move(lost.why));
    return !end.interrupted;
  }

  void settled(const SweepPoint& point, int exit) {
    store_.record(point, exit);
    if (exit != 0) print_notice(failure(point, *store_.outcome(point)));
  }

  void say(const std::string& text) const {
    if (!console_.quiet) print_result(text);
  }

  void finished(const FinishedJob& job, const PoolProgress& progress) {
    const SweepPoint& point = to_run_[job.index];
    if (job.status >= 128 && caught_signal() != 0) return;
    settled(point, job.status);
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

  void write_results() {
    PlanTable table = store_.table(points_);
    rows_ = table.rows();
    write_file(store_.table_file(), table.csv());
    if (!request_.page) return;
    SweepPage page{{plan_.name, plan_.machine, {}, std::move(table)}, plan_.mode, store_.columns()};
    for (const SweepAxis& axis : plan_.axes) page.plan.axes.push_back(axis.key);
    write_file(store_.page_file(), sweep_page(page));
  }

  static std::string failure(const SweepPoint& point, const PointOutcome& outcome) {
    return fmt::format("{}  FAILED exit {}: {}\n", describe(point), outcome.exit, outcome.reason);
  }

  int report() {
    std::size_t failed = 0, limited = 0;
    std::string text;
    for (const SweepPoint& point : points_) {
      const std::optional<PointOutcome> outcome = store_.outcome(point);
      if (outcome) limited += store_.limited(point) ? 1U : 0U;
      if (!outcome || outcome->exit == 0) continue;
      ++failed;
      text += failure(point, *outcome);
    }
    for (const auto& [point, why] : lost_)
      text += fmt::format("{}  LOST after {} submissions: {}\n", describe(point), most_submissions, why);
    const std::string stopped = limited == 0 ? "" : fmt::format(", {} stopped by a limit", limited);
    say(text + fmt::format("results: {} ({} rows, {} failed{}{}){}\n", store_.table_file(), rows_, failed, stopped,
                           some(lost_.size(), "lost"), request_.page ? "   plot: " + store_.page_file() : ""));
    return static_cast<int>(failed + lost_.size() == 0 ? ExitCode::done : ExitCode::check_failed);
  }

  const SweepPlan& plan_;
  SweepStore& store_;
  std::vector<SweepPoint> points_, to_run_;
  std::vector<std::pair<SweepPoint, std::string>> lost_;  ///< with why
  std::size_t rows_ = 0;                                  ///< of the table
  const SweepRequest& request_;
  ConsoleOptions console_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = begin_;
};

}  // namespace

std::string plan_folder(const std::string& runs, const std::string& name) {
  if (runs.empty()) usage_error("CLI-VALUE", "--runs-dir names no folder", "--runs-dir . is this one");
  return runs + "/" + name;
}

std::string own_program() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "teslasim" : path.string();
}

std::size_t processors() {
  return std::max(1U, std::thread::hardware_concurrency());
}

std::string plan_text(const std::string& path) {
  TextFile file = read_text_file(path);
  if (file.error.empty()) return std::move(file.text);
  Diagnostic diagnostic;
  diagnostic.code = "FILE-READ";
  diagnostic.message = "cannot read '" + path + "': " + file.error;
  diagnostic.help = "give the file of a plan; names are from the folder in which the command was started";
  throw InputError(ExitCode::configuration, std::move(diagnostic));
}

int run_sweep(const SweepPlan& plan, SweepStore& store, const std::vector<SweepPoint>& points,
              const SweepRequest& request) {
  return SweepRun(plan, store, points, request).run();
}

}  // namespace teslasim
