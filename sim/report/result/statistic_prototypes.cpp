// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/statistic_prototypes.h"

namespace teslasim {

Result prototype_result() {
  Result prototype;
  prototype.machine.preset = "any";
  LaunchResult launch;
  launch.statistics.sms.resize(1);
  launch.statistics.partitions.resize(1);
  launch.statistics.banks.banks = 1;
  launch.merged = MergedLaunches{};
  launch.sample = BlockSample{};
  launch.outputs = std::vector<OutputCheck>{OutputCheck{}};
  Prediction prediction;
  prediction.model = "any";
  prediction.seconds = 0.0;
  launch.predictions = {prediction};
  prototype.launches.push_back(launch);
  return prototype;
}

std::vector<Result> prototype_results() {
  Result bare = prototype_result();
  bare.machine.preset.clear();
  LaunchResult& launch = bare.launches[0];
  launch.statistics.banks.banks = 0;
  launch.merged.reset();
  launch.sample.reset();
  launch.outputs.reset();
  launch.predictions[0].seconds.reset();
  Result without_models = bare;
  without_models.launches[0].predictions.clear();
  Result functional = bare;
  functional.launches[0].statistics.timed = false;
  Result unchecked = bare;
  unchecked.launches[0].outputs = std::vector<OutputCheck>{};
  return {prototype_result(), bare, without_models, functional, unchecked};
}

}  // namespace teslasim
