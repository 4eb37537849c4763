// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/merged_launches.h"

#include <optional>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

/// A sum of times has no terms: those of one launch explain that launch.
void add(Prediction& sum, const Prediction& prediction) {
  if (!prediction.refusal.empty() && sum.refusal.empty()) sum.refusal = prediction.refusal;
  if (sum.bound != prediction.bound) sum.bound = "differs by launch";
  const bool both = sum.seconds && prediction.seconds;
  sum.seconds = both ? std::optional(*sum.seconds + *prediction.seconds) : std::nullopt;
}

/// A launch that ran whole beside one whose blocks are sampled: all of it is measured.
BlockSample as_sample(const LaunchResult& launch) {
  if (launch.sample) return *launch.sample;
  BlockSample whole;
  whole.timed_blocks = launch.statistics.ctas_done;
  whole.cycles = launch.statistics.shader_cycles;
  whole.time = launch.statistics.duration;
  return whole;
}

void drop_details(Prediction& prediction) {
  prediction.terms.clear();
  prediction.inputs.clear();
  prediction.notes = {"the sum over several launches; ask for the details of one to see its terms"};
}

}  // namespace

void begin_sum(LaunchResult& launch, std::uint64_t number) {
  launch.index = number;
  launch.merged = MergedLaunches{1, number, true};
  launch.statistics.intervals = {};
  for (SmStatistics& sm : launch.statistics.sms) {
    sm.block_times = {};
    sm.warps = {};
  }
  for (Prediction& prediction : launch.predictions) drop_details(prediction);
}

void add_launch(LaunchResult& sum, LaunchResult launch, std::uint64_t number) {
  SIM_CHECK(sum.merged && sum.predictions.size() == launch.predictions.size(),
            "a launch is added to a sum of its kind");
  ++sum.merged->count;
  sum.merged->last = number;
  sum.merged->same_shape = sum.merged->same_shape && sum.statistics.grid == launch.statistics.grid &&
                           sum.statistics.block == launch.statistics.block;
  SIM_CHECK(sum.statistics.kernel == launch.statistics.kernel && sum.statistics.timed == launch.statistics.timed,
            "a sum is of launches of one kernel");
  if (sum.sample || launch.sample) {
    sum.sample = as_sample(sum);
    *sum.sample += as_sample(launch);
  }
  sum.statistics += launch.statistics;
  for (std::size_t i = 0; i < sum.predictions.size(); ++i) add(sum.predictions[i], launch.predictions[i]);
  sum.sampled = sum.sampled || launch.sampled;
}

}  // namespace teslasim
