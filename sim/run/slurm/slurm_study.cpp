// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/slurm_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "sim/run/signals.h"
#include "sim/run/slurm/chunk_size.h"
#include "sim/run/slurm/pilot.h"
#include "sim/run/slurm/point_files.h"
#include "sim/run/slurm/resume_record.h"
#include "sim/run/slurm/slurm_client.h"
#include "sim/run/slurm/study_progress.h"
#include "sim/run/slurm/submissions.h"

namespace teslasim {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds shortest_pause{2}, longest_pause{30};
/// Between two submissions while other tasks are at work: what one bad host loses bit by bit goes out together.
constexpr std::chrono::seconds between_rounds{20};

bool interrupted() {
  return caught_signal() != 0;
}

class SlurmStudy {
 public:
  SlurmStudy(const Study& study, const SlurmRequest& request, const ConsoleOptions& console)
      : study_(study),
        request_(request),
        rounds_(study.folder, study.name),
        submissions_(rounds_.read(), request.resumes ? Submissions::Counting::goes_on : Submissions::Counting::anew),
        progress_(study.points.size(), console) {
    for (std::size_t i = 0; i < study_.points.size(); ++i) pending_[name_of(study_.points[i])] = i;
  }

  StudyEnd run() {
    while (true) {
      const std::optional<SlurmQueue> queue = client_.queue();
      // In this order: what has left the queue has its results in place.
      const Clock::time_point begin = Clock::now();
      take_results();
      const Clock::duration length = Clock::now() - begin;
      if (queue) look(*queue);
      if (pending_.empty()) break;
      if (interrupted()) return leave(queue);
      progress_.show(queue ? std::optional(submissions_.tasks(*queue)) : std::nullopt);
      pause(length);
    }
    finish();
    return {false, std::move(lost_)};
  }

 private:
  void take_results() {
    for (const std::string& name : ended_points(study_.folder)) {
      const auto pending = pending_.find(name);
      if (pending == pending_.end()) continue;
      const StudyPoint& point = study_.points[pending->second];
      const std::optional<int> exit = exit_of(point);
      if (!exit) continue;  // another process took it a moment ago
      if (is_of_host(point, *exit) && (*exit == 0 || times(name) < most_submissions)) {
        whys_[name] = fmt::format("it ended with {}{}", *exit, *exit == 0 ? " and left no result" : "");
        forget_result(point);
        again_.insert(name);
        continue;
      }
      settle(pending, *exit);
    }
  }

  void settle(std::map<std::string, std::size_t>::iterator pending, int exit) {
    const std::size_t point = pending->second;
    again_.erase(pending->first);
    pending_.erase(pending);
    study_.settled(point, exit);
    forget_exit(study_.points[point]);
    progress_.settled(exit);
  }

  [[nodiscard]] std::size_t times(const std::string& name) {
    if (submitted_.empty()) submitted_ = submissions_.submitted();
    const auto found = submitted_.find(name);
    return found == submitted_.end() ? 0 : found->second.times;
  }

  /// Submits what has no result and is not with Slurm.
  void look(const SlurmQueue& queue) {
    if (submissions_.one_is_being_made()) submissions_.update(rounds_.read());
    submissions_.find_jobs(queue);
    submitted_ = submissions_.submitted();
    if (unsubmitted_) return submit(*unsubmitted_, queue);
    if (submissions_.one_is_being_made()) return;
    const std::set<std::string> with_slurm = submissions_.with_slurm(queue);
    std::vector<std::string> missing;
    for (const auto& [name, point] : pending_) {
      if (again_.contains(name) || !with_slurm.contains(name)) missing.push_back(name);
    }
    if (missing.empty() || (!with_slurm.empty() && Clock::now() - last_round_ < between_rounds)) return;
    make_round(give_up(missing));
  }

  /// Takes away those that were submitted too often.
  std::vector<std::string> give_up(const std::vector<std::string>& missing) {
    std::vector<std::string> kept;
    std::map<std::string, std::map<std::string, std::string>> ends;  // of tasks, by job
    for (const std::string& name : missing) {
      const std::string task = submitted_[name].last_task;
      const std::string job = task.substr(0, task.find('_'));
      if (!job.empty() && !again_.contains(name)) {
        if (!ends.contains(job)) ends[job] = client_.ends_of(job);
        const std::string state = ends[job][task];
        whys_[name] = fmt::format("task {} ended without its result{}", task, state.empty() ? "" : " (" + state + ")");
      }
      if (times(name) < most_submissions) {
        kept.push_back(name);
        continue;
      }
      lost_.push_back({pending_[name], whys_[name]});
      pending_.erase(name);
      progress_.lost();
    }
    return kept;
  }

  void make_round(const std::vector<std::string>& names) {
    RoundContent content;
    content.begins = submissions_.begins();
    for (const std::string& name : names) content.points.push_back(study_.points[pending_[name]]);
    // In the order of the study: neighbours take about as long.
    std::sort(content.points.begin(), content.points.end(),
              [this](const StudyPoint& a, const StudyPoint& b) { return pending_[name_of(a)] < pending_[name_of(b)]; });
    content.chunk = content.points.empty() ? 1 : chunk_for(content.points);
    if (content.points.empty() || interrupted()) return;
    std::string why;
    for (const std::string& name : names) why = whys_.contains(name) ? whys_[name] : why;
    const std::optional<Round> round = rounds_.make(submissions_.newest(), content, request_);
    if (!round) return submissions_.update(rounds_.read());
    progress_.submits(content.points.size(), round->tasks.size(), why);
    submissions_.add(*round);
    submit(*round, SlurmQueue());
  }

  /// A pilot's results are results: its points are no longer to be submitted.
  std::size_t chunk_for(std::vector<StudyPoint>& points) {
    if (request_.chunk != 0) return request_.chunk;
    if (submissions_.chunk() != 0) return submissions_.chunk();
    std::vector<StudyPoint> some;
    for (const std::size_t i : pilot_points(points.size())) some.push_back(points[i]);
    if (!some.empty()) progress_.pilots(some.size());
    const std::optional<double> seconds = some.empty() ? std::nullopt : run_pilot(some, interrupted);
    take_results();
    std::erase_if(points, [this](const StudyPoint& point) { return !pending_.contains(name_of(point)); });
    return chunk_size(points.size(), seconds, client_.largest_array());
  }

  void submit(Round round, const SlurmQueue& queue) {
    std::string job = queue.job_named(round.job_name);
    if (job.empty()) {
      const Submission submission = client_.submit(Rounds::script(round), request_.arguments);
      job = submission.job;
      if (job.empty()) {
        progress_.waits_for_controller(submission.trouble);
        unsubmitted_ = std::move(round);
        return;
      }
    }
    unsubmitted_.reset();
    Rounds::note_job(round, job);
    for (const auto& task : round.tasks) {
      for (const std::string& name : task) again_.erase(name);
    }
    progress_.submitted(job);
    submissions_.update(rounds_.read());
    submitted_ = submissions_.submitted();
    last_round_ = Clock::now();
  }

  StudyEnd leave(const std::optional<SlurmQueue>& queue) {
    const std::vector<std::string> jobs = queue ? submissions_.jobs(*queue) : std::vector<std::string>();
    progress_.left(jobs, study_.folder);
    return {true, std::move(lost_)};
  }

  void finish() {
    const std::optional<SlurmQueue> queue = client_.queue();
    if (queue && submissions_.jobs(*queue).empty()) remove_parts(study_.folder);
  }

  /// Looking at many files takes long, so that is done less often.
  static void pause(Clock::duration looked) {
    const auto length = std::clamp<Clock::duration>(20 * looked, shortest_pause, longest_pause);
    constexpr std::chrono::milliseconds step{100};
    for (const Clock::time_point end = Clock::now() + length; Clock::now() < end && !interrupted();)
      std::this_thread::sleep_for(step);
  }

  const Study& study_;
  const SlurmRequest& request_;
  SlurmClient client_;
  Rounds rounds_;
  Submissions submissions_;
  StudyProgress progress_;
  std::map<std::string, std::size_t> pending_;  ///< by name: points without result
  std::set<std::string> again_;                 ///< of those: their command failed for reasons of a host
  std::map<std::string, std::string> whys_;     ///< what became of a point the last time
  std::map<std::string, Submissions::Submitted> submitted_;
  std::optional<Round> unsubmitted_;  ///< made, but the controller did not answer
  std::vector<LostPoint> lost_;
  Clock::time_point last_round_{};
};

}  // namespace

StudyEnd run_on_slurm(const Study& study, const SlurmRequest& request, const ConsoleOptions& console) {
  if (study.points.empty()) return {};
  write_resume_record(study.folder, request);
  return SlurmStudy(study, request, console).run();
}

}  // namespace teslasim
