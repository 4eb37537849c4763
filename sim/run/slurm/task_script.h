// SPDX-License-Identifier: Apache-2.0
// The shell scripts that a job array runs, as texts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/run/slurm/slurm_request.h"
#include "sim/run/slurm/study.h"

namespace teslasim {

struct JobScript {
  std::string job_name;
  std::string folder;   ///< where the command was called: paths of the commands are from there
  std::string scripts;  ///< folder of this script and of those of its tasks, from the root
  std::size_t tasks = 1;
};

/// The script that is submitted: options, and how a task runs its points.
[[nodiscard]] std::string job_script(const JobScript& job, const SlurmRequest& request);
/// The points of one task, one line each.
[[nodiscard]] std::string task_script(const std::vector<StudyPoint>& points);

}  // namespace teslasim
