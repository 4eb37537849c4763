// SPDX-License-Identifier: Apache-2.0
// Runs the points of a study as job arrays: submits them, follows the queue, takes results as they come, and submits
// again, three times at most, what ended without one. Everything that it knows stands in the folder of the study, so
// that another process on another host can go on.
#pragma once

#include <string>
#include <string_view>

#include "sim/run/console.h"
#include "sim/run/slurm/slurm_request.h"
#include "sim/run/slurm/study.h"

namespace teslasim {

/// Ends when each point has a result or was submitted too often; with Ctrl-C or SIGTERM earlier, and jobs go on.
/// Throws InputError (environment): SLURM-MISSING, SLURM-REFUSED, FILE-WRITE.
[[nodiscard]] StudyEnd run_on_slurm(const Study& study, const SlurmRequest& request, const ConsoleOptions& console);

}  // namespace teslasim
