// SPDX-License-Identifier: Apache-2.0
// Runs commands as child processes, a given number at a time. A simulation takes a process of its own: SystemC
// elaborates once.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace teslasim {

struct PoolJob {
  std::vector<std::string> arguments;  ///< program first
  std::string error_file;              ///< takes stderr; stdout is dropped
};

struct FinishedJob {
  std::size_t index = 0;  ///< in the list of jobs
  int status = 0;         ///< exit code, or 128 + signal
};

struct PoolProgress {
  std::size_t finished = 0, failed = 0;
  std::size_t running = 0;  ///< once the places that have become free are filled again
};

/// Runs all jobs, `width` at a time, and calls `finished` for each as it ends, in this process. Returns false when
/// `interrupted` said so: then the children were asked to end (SIGTERM) and waited for, and `finished` was not called
/// for them. Throws InputError (ENV-SPAWN) when a child cannot be started.
[[nodiscard]] bool run_pool(const std::vector<PoolJob>& jobs, std::size_t width,
                            const std::function<void(const FinishedJob&, const PoolProgress&)>& finished,
                            const std::function<bool()>& interrupted);

}  // namespace teslasim
