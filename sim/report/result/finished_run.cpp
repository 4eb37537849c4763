// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/finished_run.h"

#include <algorithm>
#include <utility>

#include "sim/report/result/stats_json.h"

namespace teslasim {

std::uint64_t FinishedRun::number_of(std::size_t place) const {
  const auto* index = std::get_if<std::uint64_t>(&launch(place)["index"].value());
  return index == nullptr ? place : *index;
}

std::size_t FinishedRun::longest() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < launches(); ++i) {
    if (ms(i) > ms(best)) best = i;
  }
  return best;
}

double FinishedRun::ms(std::size_t place) const {
  const StatisticTree& entry = launch(place);
  return entry["sample.ms"].number().value_or(entry["time.ms"].number_or(0));
}

double FinishedRun::total_ms() const {
  double sum = 0;
  for (std::size_t i = 0; i < launches(); ++i) sum += ms(i);
  return sum;
}

double FinishedRun::slots(std::string_view reason) const {
  double sum = 0;
  for (std::size_t i = 0; i < launches(); ++i) sum += launch(i)["issue_slots"][reason].number_or(0);
  return sum;
}

FinishedRun finished_run(const Result& result, std::string label) {
  FinishedRun run;
  run.label = std::move(label);
  run.statistics = statistic_tree(result);
  run.instructions = instruction_rows(result);
  run.intervals = interval_rows(result);
  if (result.timed()) run.blocks = block_rows(result);
  const bool predicted = std::any_of(result.launches.begin(), result.launches.end(),
                                     [](const LaunchResult& launch) { return !launch.predictions.empty(); });
  if (predicted) run.predictions = predictions_of(result);
  for (LaunchPredictions& launch : run.predictions) launch.kernel = utf8_as_in_json(launch.kernel);
  run.configuration = configuration_rows(result.configuration);
  return run;
}

}  // namespace teslasim
