// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/slurm_measurements.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/hash.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/report/text/format.h"
#include "sim/run/action_progress.h"
#include "sim/run/plans/sweep_run.h"
#include "sim/run/signals.h"
#include "sim/run/slurm/slurm_study.h"
#include "sim/run/slurm/submissions.h"
#include "sim/validation/measured_line.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

/// What a measurement wrote, without the end of its line; reasons may have several.
std::string line_in(const std::string& place) {
  std::string text = read_text_file(place, largest_text, FileOwner::program).text;
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

SlurmMeasurements::SlurmMeasurements(std::string folder, SlurmRequest request, SpCycle max_cycles,
                                     ConsoleOptions console)
    : folder_(std::move(folder)),
      request_(std::move(request)),
      max_cycles_(max_cycles),
      console_(std::move(console)),
      program_(own_program()),
      program_hash_(digest_text(hash_file(program_).value_or(0))) {
  std::error_code error;
  fs::create_directories(points_folder(folder_), error);
  if (error) write_error(points_folder(folder_), error.message());
}

std::string SlurmMeasurements::place_of(const MeasureTask& task) const {
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}", program_hash_, task.machine, task.measure, max_cycles_.count());
  return points_folder(folder_) + "/" + digest_text(hash_bytes(std::as_bytes(std::span(text))));
}

std::vector<std::string> SlurmMeasurements::command_of(const MeasureTask& task) const {
  std::vector<std::string> command{program_, "validate", "--machine=" + task.machine, "--measure=" + task.measure};
  if (max_cycles_ != never) command.push_back(fmt::format("--max-cycles={}", max_cycles_.count()));
  return command;
}

std::vector<MeasureOutcome> SlurmMeasurements::run(const std::vector<MeasureTask>& tasks) {
  std::vector<MeasureOutcome> outcomes(tasks.size());
  std::vector<std::size_t> to_measure;
  Study study;
  study.folder = folder_;
  study.name = "validate";
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    SIM_CHECK(tasks[i].spec == nullptr, "a changed machine cannot be sent to a cluster");
    const std::string place = place_of(tasks[i]);
    if (const std::string line = line_in(place); !line.empty()) {
      outcomes[i] = outcome_of_line(line);
      continue;
    }
    to_measure.push_back(i);
    study.points.push_back({place, command_of(tasks[i])});
  }
  if (!console_.quiet)
    print_notice(fmt::format("{} measurements, {} done earlier, {} to make\n", tasks.size(),
                             tasks.size() - to_measure.size(), to_measure.size()));
  study.settled = [&](std::size_t point, int exit) {
    const std::string line = line_in(study.points[point].place);
    outcomes[to_measure[point]] = outcome_of_line(line);
    if (line.empty()) outcomes[to_measure[point]].why = fmt::format("the measurement ended with {}", exit);
  };
  catch_signals();
  const StudyEnd end = run_on_slurm(study, request_, console_);
  if (end.interrupted) throw Interrupted{caught_signal()};
  for (const LostPoint& lost : end.lost) {
    const MeasureTask& task = tasks[to_measure[lost.point]];
    outcomes[to_measure[lost.point]].why = fmt::format("lost after {} submissions: {}", most_submissions, lost.why);
    print_notice(fmt::format("{} on {}: LOST after {} submissions: {}\n", task.measure, task.machine, most_submissions,
                             lost.why));
  }
  lost_ += end.lost.size();
  return outcomes;
}

}  // namespace teslasim
