// SPDX-License-Identifier: Apache-2.0
// What the analytical models say of a workload after a functional run of it, which follows a representative warp.
#pragma once

#include <string>
#include <vector>

#include "sim/report/result/run_data.h"
#include "sim/report/text/prediction_report.h"
#include "sim/run/console.h"
#include "sim/run/workload_run.h"

namespace teslasim {

struct FunctionalPredictions {
  RunOutcome outcome;
  std::vector<LaunchPredictions> launches;  ///< without simulated times
  RunStatus status = RunStatus::ok;         ///< of the pre-run
  bool out_of_time = false;                 ///< the limit of wall time stopped it
};

/// Within the limits: a launch that did not end has no predictions. Throws InputError when the inputs cannot be read.
[[nodiscard]] FunctionalPredictions predict_functionally(RunSettings settings, ProgressStyle progress,
                                                         const RunLimits& limits = {});

/// Interval analysis needs the intervals of a warp, which a timed run does not follow. Where its prediction is missing
/// among those of a finished run, a functional run of the same inputs gives it. Returns why there is none, or "".
[[nodiscard]] std::string complete_predictions(const std::string& directory, const RunData& run,
                                               std::vector<LaunchPredictions>& launches, ProgressStyle progress);

}  // namespace teslasim
