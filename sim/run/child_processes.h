// SPDX-License-Identifier: Apache-2.0
// Child processes of this program, each with a number of the caller's. None outlives its parent, whatever ends that.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace teslasim {

/// What a child does; its exit code. It may become another program, and must not throw.
using ChildBody = std::function<int()>;

/// How a child is told of when it cannot be started.
struct ChildName {
  std::string what;  ///< "'teslasim'", "a measurement"
  std::string help;
};

struct EndedChild {
  std::size_t task = 0;  ///< the number given at its start
  int status = 0;        ///< exit code, or 128 + signal
};

class ChildProcesses {
 public:
  ChildProcesses() = default;
  /// Kills and awaits those that are left.
  ~ChildProcesses();
  ChildProcesses(const ChildProcesses&) = delete;
  ChildProcesses& operator=(const ChildProcesses&) = delete;

  /// Throws InputError (environment, ENV-SPAWN) when no process can be made.
  void start(std::size_t task, const ChildName& name, const ChildBody& body);
  [[nodiscard]] std::size_t running() const { return children_.size(); }
  /// Those that have ended since; does not wait.
  [[nodiscard]] std::vector<EndedChild> collect();
  /// Sends them all `signal` and awaits their ends.
  void end_all(int signal);

 private:
  std::map<pid_t, std::size_t> children_;
};

/// Throws InputError (environment, ENV-SPAWN) for an error number of the system.
[[noreturn]] void cannot_start(const ChildName& name, int error);

}  // namespace teslasim
