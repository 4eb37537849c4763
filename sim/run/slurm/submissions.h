// SPDX-License-Identifier: Apache-2.0
// Which points of a study are with Slurm, and how often each was: what rounds say, beside what the queue says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/run/slurm/rounds.h"
#include "sim/run/slurm/slurm_client.h"

namespace teslasim {

/// How often a point may be submitted: once, and three times more.
inline constexpr std::size_t most_submissions = 4;

class Submissions {
 public:
  enum class Counting : std::uint8_t { anew, goes_on };
  /// `anew`: what was submitted before does not count; points that are still with Slurm are.
  Submissions(std::vector<Round> rounds, Counting counting);

  /// Another look at the folders, which keeps what counts.
  void update(std::vector<Round> rounds);
  void add(Round round);
  [[nodiscard]] std::size_t newest() const { return rounds_.empty() ? 0 : rounds_.back().number; }
  /// Points of a task in the newest round that counts; 0 when there is none.
  [[nodiscard]] std::size_t chunk() const;
  /// Whether the next round is the first that counts.
  [[nodiscard]] bool begins() const { return chunk() == 0; }

  /// Gives rounds whose job was not noted the number that the queue knows it by.
  void find_jobs(const SlurmQueue& queue);
  /// A round without a job that may get one at any moment: its maker is at work, or was a moment ago.
  [[nodiscard]] bool one_is_being_made() const;
  /// Points of tasks that have not ended.
  [[nodiscard]] std::set<std::string> with_slurm(const SlurmQueue& queue) const;
  /// Tasks of this study in the queue.
  struct Tasks {
    std::size_t running = 0, waiting = 0;
    std::string reason;  ///< why the first of them waits
  };
  [[nodiscard]] Tasks tasks(const SlurmQueue& queue) const;
  struct Submitted {
    std::size_t times = 0;  ///< those that count
    std::string last_task;  ///< that had it, "JOB_INDEX"
  };
  /// By names of points.
  [[nodiscard]] std::map<std::string, Submitted> submitted() const;
  /// Numbers of jobs that have tasks in the queue.
  [[nodiscard]] std::vector<std::string> jobs(const SlurmQueue& queue) const;

 private:
  [[nodiscard]] bool counts(const Round& round) const { return round.number >= first_ && !round.job.empty(); }

  std::vector<Round> rounds_;
  std::size_t first_ = 0;  ///< number of the first round that counts
};

}  // namespace teslasim
