// SPDX-License-Identifier: Apache-2.0
// Slurm as functions: its own commands, run as child processes, and what they print. Nothing here knows of points.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

/// A task of a job array that has not ended: it waits, runs, or is being cleaned up.
struct QueuedTask {
  std::string job;        ///< number of the array
  std::size_t index = 0;  ///< in the array
  std::string state, reason, name;
  [[nodiscard]] bool waits() const { return state == "PENDING"; }
};

class SlurmQueue {
 public:
  SlurmQueue() = default;
  explicit SlurmQueue(std::vector<QueuedTask> tasks) : tasks_(std::move(tasks)) {}
  [[nodiscard]] const std::vector<QueuedTask>& tasks() const { return tasks_; }
  /// The job of that name; empty when there is none.
  [[nodiscard]] std::string job_named(std::string_view name) const;

 private:
  std::vector<QueuedTask> tasks_;
};

/// What `squeue --format=%F|%K|%T|%r|%j` printed. Lines of jobs that are no arrays, or that have ended, are left out.
[[nodiscard]] SlurmQueue parse_queue(const std::string& text);
/// What `sacct --parsable2 --format=JobID,State` printed: states by "JOB_INDEX".
[[nodiscard]] std::map<std::string, std::string> parse_accounts(const std::string& text);
/// The same of `scontrol --oneliner show job`.
[[nodiscard]] std::map<std::string, std::string> parse_jobs(const std::string& text);
/// MaxArraySize of `scontrol show config`; nothing when it does not say.
[[nodiscard]] std::optional<std::size_t> parse_array_size(const std::string& text);

struct Submission {
  std::string job;      ///< empty: not submitted
  std::string trouble;  ///< the controller did not answer: it may do so later
};

class SlurmClient {
 public:
  /// Throws InputError (environment, SLURM-MISSING) where there is no sbatch or no squeue.
  SlurmClient();

  /// Throws InputError (environment, SLURM-REFUSED) with Slurm's reason.
  [[nodiscard]] Submission submit(const std::string& script, const std::vector<std::string>& arguments) const;
  /// Tasks of this user; nothing when the controller does not answer.
  [[nodiscard]] std::optional<SlurmQueue> queue() const;
  /// How tasks of an array ended, by "JOB_INDEX": by the accounts, where there are none by what the controller still
  /// remembers, which may be nothing.
  [[nodiscard]] std::map<std::string, std::string> ends_of(const std::string& job) const;
  /// Tasks that an array may have.
  [[nodiscard]] std::size_t largest_array() const;

 private:
  std::string sbatch_, squeue_;
};

}  // namespace teslasim
