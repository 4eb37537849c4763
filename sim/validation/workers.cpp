// SPDX-License-Identifier: Apache-2.0
// One child process per measurement.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <thread>

#include "sim/base/diagnostic.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/validation/measure.h"
#include "sim/validation/validation.h"

namespace teslasim {
namespace {

[[noreturn]] void cannot_start(int error) {
  Diagnostic diagnostic;
  diagnostic.code = "ENV-SPAWN";
  diagnostic.message = std::string("cannot start a measurement: ") + std::strerror(error);
  diagnostic.help = "fewer at a time (-j), or a higher limit of processes and open files (ulimit -u, -n)";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

constexpr char is_number = 'n', is_word = 'w', is_why = '?', is_limit = 'l';
constexpr std::chrono::milliseconds poll_interval{10};

std::string first_message(const InputError& error) {
  if (error.diagnostics().empty()) return error.what();
  const Diagnostic& diagnostic = error.diagnostics().front();
  return fmt::format("{}: {}", diagnostic.code, diagnostic.message);
}

/// The measurement, as the line that the child sends: a letter and the value.
std::string measured_line(const MeasureTask& task, Cycle max_cycles) {
  try {
    const MeasureArguments arguments(task.measure);
    MicroMachine micro(task.spec != nullptr ? *task.spec : load_machine({task.machine}, arguments.sets()).spec);
    micro.set_max_cycles(max_cycles);
    const MeasuredValue value = measure(micro, arguments);
    return value.word.empty() ? fmt::format("{}{:a}", is_number, value.number) : is_word + value.word;
  } catch (const MicroMachine::OutOfCycles&) {
    return is_limit + fmt::format("limit: it takes more than --max-cycles {}", max_cycles);
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
    outcome.limited = line.front() == is_limit;
  }
  return outcome;
}

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
      while (next_ < tasks_.size() && children_.size() < jobs_) start(next_++);
      if (!finish_one()) {
        give_up(options.max_seconds);
        break;
      }
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
    if (pipe2(ends, O_CLOEXEC) != 0) cannot_start(errno);
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) cannot_start(errno);
    if (child == 0) {
      // No measurement outlives a parent that was ended.
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      const std::string line = measured_line(tasks_[task], max_cycles_);
      const ssize_t written = write(ends[1], line.data(), std::min<std::size_t>(line.size(), PIPE_BUF));
      _exit(written < 0 ? 1 : 0);
    }
    close(ends[1]);
    children_[child] = {task, ends[0]};
  }

  /// Waits for a child; false when the time is over before.
  bool finish_one() {
    int status = 0;
    pid_t child = waitpid(-1, &status, deadline_ ? WNOHANG : 0);
    while (child == 0 && Clock::now() < *deadline_) {
      std::this_thread::sleep_for(poll_interval);
      child = waitpid(-1, &status, WNOHANG);
    }
    if (child == 0) return false;
    const auto found = children_.find(child);
    SIM_CHECK(found != children_.end(), "an unknown process ended");
    std::string line(PIPE_BUF, '\0');
    const ssize_t length = read(found->second.pipe, line.data(), line.size());
    line.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    close(found->second.pipe);
    outcomes_[found->second.task] = outcome_of(line);
    children_.erase(found);
    return true;
  }

  /// Ends what is running; it and what did not start has no value.
  void give_up(double seconds) {
    const MeasureOutcome late{{}, {}, fmt::format("limit: not measured within --max-seconds {}", seconds), true};
    for (const auto& [child, state] : children_) kill(child, SIGKILL);
    for (const auto& [child, state] : children_) {
      int status = 0;
      waitpid(child, &status, 0);
      close(state.pipe);
      outcomes_[state.task] = late;
    }
    for (; next_ < tasks_.size(); ++next_) outcomes_[next_] = late;
  }

  using Clock = std::chrono::steady_clock;
  static constexpr double longest_wait = 1e8;  // seconds; a clock cannot count to every number

  const std::vector<MeasureTask>& tasks_;
  std::vector<MeasureOutcome> outcomes_;
  unsigned jobs_;
  Cycle max_cycles_;
  std::optional<Clock::time_point> deadline_;
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
  const std::vector<MeasureOutcome> outcomes = Workers(distinct, jobs, options).run(options);
  std::vector<MeasureOutcome> all;
  for (const std::size_t i : place) all.push_back(outcomes[i]);
  return all;
}

}  // namespace teslasim
