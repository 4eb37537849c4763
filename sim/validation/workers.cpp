// SPDX-License-Identifier: Apache-2.0
// One child process per measurement.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <thread>

#include "sim/base/diagnostic.h"
#include "sim/gpu/machine_loader.h"
#include "sim/validation/measure.h"
#include "sim/validation/validation.h"

namespace teslasim {
namespace {

constexpr char is_number = 'n', is_word = 'w', is_why = '?';

std::string first_message(const InputError& error) {
  if (error.diagnostics().empty()) return error.what();
  const Diagnostic& diagnostic = error.diagnostics().front();
  return fmt::format("{}: {}", diagnostic.code, diagnostic.message);
}

/// The measurement, as the line that the child sends: a letter and the value.
std::string measured_line(const MeasureTask& task) {
  try {
    const MeasureArguments arguments(task.measure);
    MicroMachine micro(task.spec != nullptr ? *task.spec : load_machine({task.machine}, arguments.sets()).spec);
    const MeasuredValue value = measure(micro, arguments);
    return value.word.empty() ? fmt::format("{}{:a}", is_number, value.number) : is_word + value.word;
  } catch (const InputError& error) {
    return is_why + first_message(error);
  } catch (const std::exception& error) {
    return is_why + std::string(error.what());
  }
}

MeasureOutcome outcome_of(const std::string& line) {
  MeasureOutcome outcome;
  if (line.empty()) {
    outcome.why = "the measurement ended without a result";
  } else if (line.front() == is_number) {
    outcome.number = std::strtod(line.c_str() + 1, nullptr);
  } else {
    (line.front() == is_word ? outcome.word : outcome.why) = line.substr(1);
  }
  return outcome;
}

class Workers {
 public:
  Workers(const std::vector<MeasureTask>& tasks, unsigned jobs) : tasks_(tasks), outcomes_(tasks.size()), jobs_(jobs) {}

  std::vector<MeasureOutcome> run(const WorkerOptions& options) {
    std::size_t done = 0;
    while (done < tasks_.size()) {
      while (next_ < tasks_.size() && children_.size() < jobs_) start(next_++);
      finish_one();
      if (options.progress)
        options.progress(++done, tasks_.size());
      else
        ++done;
    }
    return std::move(outcomes_);
  }

 private:
  struct Child {
    std::size_t task = 0;
    int pipe = -1;
  };

  void start(std::size_t task) {
    int ends[2] = {-1, -1};
    SIM_CHECK(pipe2(ends, O_CLOEXEC) == 0, "no pipe for a measurement");
    std::fflush(nullptr);
    const pid_t child = fork();
    SIM_CHECK(child >= 0, "no process for a measurement");
    if (child == 0) {
      const std::string line = measured_line(tasks_[task]);
      const ssize_t written = write(ends[1], line.data(), std::min<std::size_t>(line.size(), PIPE_BUF));
      _exit(written < 0 ? 1 : 0);
    }
    close(ends[1]);
    children_[child] = {task, ends[0]};
  }

  void finish_one() {
    int status = 0;
    const pid_t child = waitpid(-1, &status, 0);
    const auto found = children_.find(child);
    SIM_CHECK(found != children_.end(), "an unknown process ended");
    std::string line(PIPE_BUF, '\0');
    const ssize_t length = read(found->second.pipe, line.data(), line.size());
    line.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    close(found->second.pipe);
    outcomes_[found->second.task] = outcome_of(line);
    children_.erase(found);
  }

  const std::vector<MeasureTask>& tasks_;
  std::vector<MeasureOutcome> outcomes_;
  unsigned jobs_;
  std::size_t next_ = 0;
  std::map<pid_t, Child> children_;
};

}  // namespace

std::vector<MeasureOutcome> run_measurements(const std::vector<MeasureTask>& tasks, const WorkerOptions& options) {
  std::vector<MeasureTask> distinct;
  std::vector<std::size_t> place;
  for (const MeasureTask& task : tasks) {
    const auto found = std::find(distinct.begin(), distinct.end(), task);
    place.push_back(static_cast<std::size_t>(found - distinct.begin()));
    if (found == distinct.end()) distinct.push_back(task);
  }
  const unsigned jobs = options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  const std::vector<MeasureOutcome> outcomes = Workers(distinct, jobs).run(options);
  std::vector<MeasureOutcome> all;
  for (const std::size_t i : place) all.push_back(outcomes[i]);
  return all;
}

}  // namespace teslasim
