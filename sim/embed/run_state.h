// SPDX-License-Identifier: Apache-2.0
// What a Run refers to: the result of a simulation, or a folder that one left.
#pragma once

#include <teslasim/run.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/report/result/finished_run.h"
#include "sim/report/result/result.h"
#include "sim/run/run_reader.h"

namespace teslasim::embed {

struct Run::State {
  std::optional<Result> result;     ///< of a simulation of this process
  std::optional<RunReader> folder;  ///< else
  std::vector<Diagnostic> warnings{};

  /// As reports see it; made when it is first asked for.
  [[nodiscard]] const FinishedRun& finished() const;
  [[nodiscard]] const StatisticTree& tree() const;

 private:
  mutable std::mutex mutex_{};
  mutable std::optional<FinishedRun> finished_{};
  mutable std::optional<StatisticTree> tree_{};
};

[[nodiscard]] Run run_of(Result result, std::vector<Diagnostic> warnings);
[[nodiscard]] std::vector<Prediction> predictions_of(const std::vector<LaunchPredictions>& launches);

}  // namespace teslasim::embed
