// SPDX-License-Identifier: Apache-2.0
// Rounds: each submission of a study has a folder of its own, STUDY/slurm/round-N, with its scripts, what is in it
// (round.json), and once it is submitted the number of its job (file `job`). Whoever makes the folder owns the round:
// making one is a single step on every file system, which locks are not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/slurm/slurm_request.h"
#include "sim/run/slurm/study.h"

namespace teslasim {

struct Round {
  std::size_t number = 0;
  std::string folder{};
  bool begins = false;                            ///< its points may be submitted anew, however often they were before
  std::size_t chunk = 1;                          ///< points of a task
  std::string job_name{};                         ///< by which a job is found whose number was not written down
  std::string job{};                              ///< empty: not submitted, or not yet
  std::vector<std::vector<std::string>> tasks{};  ///< names of points
  double age_seconds = 0.0;                       ///< since the folder was made
};

/// What a new round has; the points of a task are `chunk` neighbours.
struct RoundContent {
  bool begins = false;
  std::size_t chunk = 1;
  std::vector<StudyPoint> points;
};

class Rounds {
 public:
  /// `study` is the folder of the study, which exists.
  explicit Rounds(std::string study, std::string name);

  /// All rounds as the file system has them now, oldest first.
  [[nodiscard]] std::vector<Round> read() const;
  /// Makes the round that follows `newest`, and its scripts; nothing when another process did so first.
  [[nodiscard]] std::optional<Round> make(std::size_t newest, const RoundContent& content,
                                          const SlurmRequest& request) const;
  static void note_job(Round& round, const std::string& job);
  [[nodiscard]] static std::string script(const Round& round) { return round.folder + "/job.sh"; }

 private:
  [[nodiscard]] Round read_one(std::size_t number) const;

  std::string study_, name_;
};

}  // namespace teslasim
