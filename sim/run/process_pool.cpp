// SPDX-License-Identifier: Apache-2.0
#include "sim/run/process_pool.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "sim/run/child_processes.h"

namespace teslasim {
namespace {

constexpr std::chrono::milliseconds poll_interval{20};

/// Puts `file` in the place of descriptor `target`; in the child, where nothing may be thrown.
void redirect(const char* file, int flags, int target) {
  constexpr mode_t readable = 0644;
  const int opened = open(file, flags, readable);
  if (opened >= 0 && opened != target) {
    dup2(opened, target);
    close(opened);
  }
}

/// The child's way to its program. A group of its own, so that Ctrl-C reaches the parent alone, which then asks its
/// children to end.
int become(const PoolJob& job, char* const* arguments) {
  constexpr int cannot_execute = 127;
  setpgid(0, 0);
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
  redirect(job.error_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  execv(arguments[0], arguments);
  return cannot_execute;
}

void start(ChildProcesses& children, const PoolJob& job, std::size_t index) {
  std::vector<std::string> words = job.arguments;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  children.start(index, {"'" + job.arguments.front() + "'", ""}, [&] { return become(job, arguments.data()); });
}

}  // namespace

bool run_pool(const std::vector<PoolJob>& jobs, std::size_t width,
              const std::function<void(const FinishedJob&, const PoolProgress&)>& finished,
              const std::function<bool()>& interrupted) {
  const std::size_t places = std::max<std::size_t>(1, width);
  ChildProcesses children;
  PoolProgress progress;
  std::size_t next = 0;
  while (next < jobs.size() || children.running() != 0) {
    if (interrupted()) {
      children.end_all(SIGTERM);
      return false;
    }
    for (; next < jobs.size() && children.running() < places; ++next) start(children, jobs[next], next);
    const std::vector<EndedChild> ended = children.collect();
    for (const EndedChild& child : ended) {
      ++progress.finished;
      progress.failed += child.status == 0 ? 0 : 1;
      // Places that have become free are filled before anybody reads this.
      progress.running = std::min(places, jobs.size() - progress.finished);
      finished({child.task, child.status}, progress);
    }
    if (ended.empty()) std::this_thread::sleep_for(poll_interval);
  }
  return true;
}

}  // namespace teslasim
