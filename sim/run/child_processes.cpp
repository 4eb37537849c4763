// SPDX-License-Identifier: Apache-2.0
#include "sim/run/child_processes.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr int parent_is_gone = 127;
constexpr int signal_base = 128;

}  // namespace

void cannot_start(const ChildName& name, int error) {
  Diagnostic diagnostic;
  diagnostic.code = "ENV-SPAWN";
  diagnostic.message = "cannot start " + name.what + ": " + std::strerror(error);
  diagnostic.help = name.help;
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

ChildProcesses::~ChildProcesses() {
  end_all(SIGKILL);
}

void ChildProcesses::start(std::size_t task, const ChildName& name, const ChildBody& body) {
  // What is buffered would be written twice.
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) cannot_start(name, errno);
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have ended before the line above.
    if (getppid() != parent) _exit(parent_is_gone);
    _exit(body());
  }
  children_[child] = task;
}

std::vector<EndedChild> ChildProcesses::collect() {
  std::vector<EndedChild> ended;
  for (auto child = children_.begin(); child != children_.end();) {
    int status = 0;
    if (waitpid(child->first, &status, WNOHANG) != child->first) {
      ++child;
      continue;
    }
    ended.push_back({child->second, WIFEXITED(status) ? WEXITSTATUS(status) : signal_base + WTERMSIG(status)});
    child = children_.erase(child);
  }
  return ended;
}

void ChildProcesses::end_all(int signal) {
  for (const auto& [child, task] : children_) kill(child, signal);
  for (const auto& [child, task] : children_) {
    int status = 0;
    waitpid(child, &status, 0);
  }
  children_.clear();
}

}  // namespace teslasim
