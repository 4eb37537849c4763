// SPDX-License-Identifier: Apache-2.0
// What `--resume DIR` needs to go on with a study: the command that began it (STUDY/slurm/command.json).
#pragma once

#include <string>
#include <vector>

#include "sim/run/slurm/slurm_request.h"

namespace teslasim {

struct ResumeRecord {
  std::vector<std::string> command;  ///< without the program
  std::string folder;                ///< where it was called
};

/// Beside the command: fingerprints of program and plan, which decide what the points are.
void write_resume_record(const std::string& study, const SlurmRequest& request);

/// Throws InputError: SLURM-RESUME (usage) when there is no study, SLURM-CHANGED (configuration) when program or plan
/// are others than they were, so that results would not belong together.
[[nodiscard]] ResumeRecord read_resume_record(const std::string& study);

}  // namespace teslasim
