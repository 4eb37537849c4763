// SPDX-License-Identifier: Apache-2.0
// Runs as `compare` reads them, made of the sample.
#pragma once

#include <string>

#include "sim/report/result/run_data.h"
#include "sim/report/result/stats_json.h"
#include "tests/report/sample_result.h"

namespace teslasim::test {

inline RunData run_of(const Result& result, const std::string& label = "001-copy") {
  return RunData::from_json(label, stats_json(result));
}

/// The sample in twice the time, with more replays.
inline Result slower() {
  Result result = sample_result();
  LaunchStatistics& launch = result.launches[0].statistics;
  launch.duration *= 2;
  launch.shader_cycles *= 2;
  launch.shared.replays += 8;
  return result;
}

}  // namespace teslasim::test
