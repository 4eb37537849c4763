// SPDX-License-Identifier: Apache-2.0
#include "sim/run/process_pool.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::chrono::milliseconds poll_interval{20};

[[noreturn]] void cannot_start(const std::string& program, int error) {
  Diagnostic diagnostic;
  diagnostic.code = "ENV-SPAWN";
  diagnostic.message = "cannot start '" + program + "': " + std::strerror(error);
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

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
/// children to end; and no child outlives a parent that was killed.
[[noreturn]] void become(const PoolJob& job, char* const* arguments, pid_t parent) {
  constexpr int cannot_execute = 127;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(cannot_execute);
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
  redirect(job.error_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(cannot_execute);
}

pid_t start(const PoolJob& job) {
  std::vector<std::string> words = job.arguments;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) cannot_start(job.arguments.front(), errno);
  if (child == 0) become(job, arguments.data(), parent);
  return child;
}

void end_all(const std::map<pid_t, std::size_t>& running) {
  for (const auto& [child, index] : running) kill(child, SIGTERM);
  for (const auto& [child, index] : running) {
    int status = 0;
    waitpid(child, &status, 0);
  }
}

}  // namespace

bool run_pool(const std::vector<PoolJob>& jobs, std::size_t width,
              const std::function<void(const FinishedJob&, const PoolProgress&)>& finished,
              const std::function<bool()>& interrupted) {
  std::map<pid_t, std::size_t> running;
  PoolProgress progress;
  std::size_t next = 0;
  while (next < jobs.size() || !running.empty()) {
    if (interrupted()) {
      end_all(running);
      return false;
    }
    while (next < jobs.size() && running.size() < std::max<std::size_t>(1, width)) {
      running[start(jobs[next])] = next;
      ++next;
    }
    std::vector<std::pair<pid_t, int>> ended;
    for (const auto& [child, index] : running) {
      int status = 0;
      if (waitpid(child, &status, WNOHANG) == child) ended.emplace_back(child, status);
    }
    for (const auto& [child, status] : ended) {
      const std::size_t index = running.at(child);
      running.erase(child);
      const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      ++progress.finished;
      progress.failed += code == 0 ? 0 : 1;
      // Places that have become free are filled before anybody reads this.
      progress.running = std::min(std::max<std::size_t>(1, width), jobs.size() - progress.finished);
      finished({index, code}, progress);
    }
    if (ended.empty()) std::this_thread::sleep_for(poll_interval);
  }
  return true;
}

}  // namespace teslasim
