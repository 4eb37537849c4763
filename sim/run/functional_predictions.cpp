// SPDX-License-Identifier: Apache-2.0
#include "sim/run/functional_predictions.h"

#include <algorithm>

#include "sim/run/run_reader.h"
#include "sim/run/watched_run.h"

namespace teslasim {
namespace {

bool lacks_intervals(const Prediction& prediction) {
  return prediction.model == "interval" && !prediction.refusal.empty();
}

}  // namespace

FunctionalPredictions predict_functionally(RunSettings settings, ProgressStyle progress, const RunLimits& limits) {
  settings.mode = Mode::functional;
  settings.sample.reset();
  settings.max_cycles = limits.max_cycles;
  const PreparedRun prepared = prepare(std::move(settings));
  WorkloadRun simulation(prepared, Profiling::on);
  FunctionalPredictions predicted;
  WatchOptions options;
  options.style = progress;
  options.max_seconds = limits.max_seconds;
  WatchedRun watched(prepared, options);
  predicted.outcome = watched.run(simulation);
  predicted.status = watched.status_of(predicted.outcome);
  predicted.out_of_time = watched.out_of_time();
  predicted.launches = predictions_of(predicted.outcome.result);
  return predicted;
}

std::string complete_predictions(const std::string& directory, const RunData& run,
                                 std::vector<LaunchPredictions>& launches, ProgressStyle progress) {
  const bool complete = std::none_of(launches.begin(), launches.end(), [](const LaunchPredictions& launch) {
    return std::any_of(launch.predictions.begin(), launch.predictions.end(), lacks_intervals);
  });
  if (complete) return "";
  FunctionalPredictions functional;
  try {
    functional = predict_functionally(RunReader(directory).record().settings, progress);
  } catch (const InputError& error) {
    return error.diagnostics().front().message;
  }
  const std::optional<double> instructions = run.find("instructions.warp");
  const Result& result = functional.outcome.result;
  if (result.status != RunStatus::ok || functional.launches.size() != launches.size() ||
      instructions != static_cast<double>(result.warp_instructions())) {
    return "a functional run does not execute the instructions that were simulated";
  }
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (Prediction& prediction : launches[i].predictions) {
      const std::vector<Prediction>& others = functional.launches[i].predictions;
      const auto found =
          std::find_if(others.begin(), others.end(), [](const Prediction& p) { return p.model == "interval"; });
      if (lacks_intervals(prediction) && found != others.end()) prediction = *found;
    }
  }
  return "";
}

}  // namespace teslasim
