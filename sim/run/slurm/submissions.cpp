// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/submissions.h"

#include <algorithm>

namespace teslasim {
namespace {

/// From making a round to noting its job: scripts are written and sbatch is asked, which waits for an answer this long.
constexpr double patience_seconds = 120.0;

}  // namespace

Submissions::Submissions(std::vector<Round> rounds, Counting counting) : rounds_(std::move(rounds)) {
  first_ = newest() + 1;
  if (counting == Counting::anew) return;
  for (const Round& round : rounds_) {
    if (round.begins || first_ > newest()) first_ = round.number;
  }
}

void Submissions::update(std::vector<Round> rounds) {
  rounds_ = std::move(rounds);
}

void Submissions::add(Round round) {
  rounds_.push_back(std::move(round));
}

std::size_t Submissions::chunk() const {
  const auto last =
      std::find_if(rounds_.rbegin(), rounds_.rend(), [this](const Round& round) { return counts(round); });
  return last == rounds_.rend() ? 0 : last->chunk;
}

std::map<std::string, Submissions::Submitted> Submissions::submitted() const {
  std::map<std::string, Submitted> all;
  for (const Round& round : rounds_) {
    if (round.job.empty()) continue;
    for (std::size_t i = 0; i < round.tasks.size(); ++i) {
      for (const std::string& point : round.tasks[i]) {
        Submitted& submitted = all[point];
        submitted.times += counts(round) ? 1U : 0U;
        submitted.last_task = round.job + "_" + std::to_string(i + 1);
      }
    }
  }
  return all;
}

void Submissions::find_jobs(const SlurmQueue& queue) {
  for (Round& round : rounds_) {
    if (!round.job.empty() || round.job_name.empty()) continue;
    const std::string job = queue.job_named(round.job_name);
    if (!job.empty()) Rounds::note_job(round, job);
  }
}

bool Submissions::one_is_being_made() const {
  return std::any_of(rounds_.begin(), rounds_.end(),
                     [](const Round& round) { return round.job.empty() && round.age_seconds < patience_seconds; });
}

std::set<std::string> Submissions::with_slurm(const SlurmQueue& queue) const {
  std::set<std::string> points;
  for (const QueuedTask& task : queue.tasks()) {
    for (const Round& round : rounds_) {
      if (round.job != task.job || task.index == 0 || task.index > round.tasks.size()) continue;
      points.insert(round.tasks[task.index - 1].begin(), round.tasks[task.index - 1].end());
    }
  }
  return points;
}

Submissions::Tasks Submissions::tasks(const SlurmQueue& queue) const {
  Tasks found;
  for (const QueuedTask& task : queue.tasks()) {
    if (std::none_of(rounds_.begin(), rounds_.end(), [&task](const Round& round) { return round.job == task.job; }))
      continue;
    ++(task.waits() ? found.waiting : found.running);
    if (task.waits() && found.reason.empty()) found.reason = task.reason;
  }
  return found;
}

std::vector<std::string> Submissions::jobs(const SlurmQueue& queue) const {
  std::vector<std::string> numbers;
  for (const Round& round : rounds_) {
    const bool queued = !round.job.empty() && std::any_of(queue.tasks().begin(), queue.tasks().end(),
                                                          [&round](const QueuedTask& t) { return t.job == round.job; });
    if (queued) numbers.push_back(round.job);
  }
  return numbers;
}

}  // namespace teslasim
