// SPDX-License-Identifier: Apache-2.0
// One child process per measurement.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <map>
#include <optional>
#include <thread>
#include <tuple>

#include "sim/base/diagnostic.h"
#include "sim/run/child_processes.h"
#include "sim/validation/measured_line.h"
#include "sim/validation/validation.h"

namespace teslasim {
namespace {

const ChildName child_name{"a measurement",
                           "fewer at a time (-j), or a higher limit of processes and open files (ulimit -u, -n)"};
constexpr std::chrono::milliseconds poll_interval{2};

class Workers {
 public:
  Workers(const std::vector<MeasureTask>& tasks, unsigned jobs, const WorkerOptions& options)
      : tasks_(tasks), outcomes_(tasks.size()), jobs_(jobs), max_cycles_(options.max_cycles) {
    if (options.max_seconds <= 0.0) return;
    const std::chrono::duration<double> most{std::min(options.max_seconds, longest_wait)};
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(most);
  }

  std::vector<MeasureOutcome> run(const WorkerOptions& options) {
    std::size_t done = 0;
    while (done < tasks_.size()) {
      for (; next_ < tasks_.size() && children_.running() < jobs_; ++next_) start(next_);
      const std::vector<EndedChild> ended = children_.collect();
      for (const EndedChild& child : ended) {
        take_line(child.task);
        ++done;
        if (options.progress) options.progress(done, tasks_.size());
      }
      if (!ended.empty()) continue;
      if (deadline_ && Clock::now() >= *deadline_) {
        give_up(options.max_seconds);
        break;
      }
      std::this_thread::sleep_for(poll_interval);
    }
    return std::move(outcomes_);
  }

 private:
  void start(std::size_t task) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) cannot_start(child_name, errno);
    const int into = ends[1];
    children_.start(task, child_name, [this, task, into] {
      const std::string line = measured_line(tasks_[task], max_cycles_);
      return write(into, line.data(), std::min<std::size_t>(line.size(), PIPE_BUF)) < 0 ? 1 : 0;
    });
    close(into);
    pipes_[task] = ends[0];
  }

  /// What the child of a task has left in its pipe.
  void take_line(std::size_t task) {
    const auto pipe = pipes_.find(task);
    SIM_CHECK(pipe != pipes_.end(), "an unknown process ended");
    std::string line(PIPE_BUF, '\0');
    const ssize_t length = read(pipe->second, line.data(), line.size());
    line.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    close(pipe->second);
    pipes_.erase(pipe);
    outcomes_[task] = outcome_of_line(line);
  }

  /// Ends what is running; it and what did not start has no value.
  void give_up(double seconds) {
    const MeasureOutcome late{{}, {}, fmt::format("limit: not measured within --max-seconds {}", seconds), true};
    children_.end_all(SIGKILL);
    for (const auto& [task, pipe] : pipes_) {
      close(pipe);
      outcomes_[task] = late;
    }
    for (; next_ < tasks_.size(); ++next_) outcomes_[next_] = late;
  }

  using Clock = std::chrono::steady_clock;
  static constexpr double longest_wait = 1e8;  // seconds; a clock cannot count to every number

  const std::vector<MeasureTask>& tasks_;
  std::vector<MeasureOutcome> outcomes_;
  unsigned jobs_;
  SpCycle max_cycles_;
  std::optional<Clock::time_point> deadline_;
  std::size_t next_ = 0;
  std::map<std::size_t, int> pipes_;  ///< of the tasks that run: where their lines arrive
  ChildProcesses children_;
};

}  // namespace

std::vector<MeasureOutcome> run_measurements(const std::vector<MeasureTask>& tasks, const WorkerOptions& options) {
  std::vector<MeasureTask> distinct;
  std::vector<std::size_t> place;
  std::map<std::tuple<std::string, std::string, const MachineSpec*>, std::size_t> places;
  for (const MeasureTask& task : tasks) {
    const auto [found, is_new] = places.try_emplace({task.machine, task.measure, task.spec}, distinct.size());
    place.push_back(found->second);
    if (is_new) distinct.push_back(task);
  }
  const unsigned jobs = options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  const std::vector<MeasureOutcome> outcomes =
      options.elsewhere ? options.elsewhere(distinct) : Workers(distinct, jobs, options).run(options);
  std::vector<MeasureOutcome> all;
  for (const std::size_t i : place) all.push_back(outcomes[i]);
  return all;
}

}  // namespace teslasim
