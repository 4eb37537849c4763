// SPDX-License-Identifier: Apache-2.0
// A run against measurements of hardware: a table of workload, metric, value, unit, source.
#pragma once

#include <string>
#include <vector>

#include "sim/report/run_data.h"

namespace teslasim {

struct HardwareMeasurement {
  std::string workload;  ///< name of a kernel or of a run's input
  std::string metric;    ///< as in `RunData::find`: time_ms, or a path of stats.json
  double value = 0.0;
  std::string unit, source;
};

/// Reads comma-separated values with that heading; `place` is the name in messages. Throws InputError (HW-PROFILE) with
/// all that is wrong.
[[nodiscard]] std::vector<HardwareMeasurement> read_hardware_profile(const std::string& place, const std::string& text);

/// Each measurement that a run is about: value, simulated, error; then the geometric mean error.
[[nodiscard]] std::string hardware_compare_text(const std::vector<HardwareMeasurement>& measurements,
                                                const std::vector<RunData>& runs);

}  // namespace teslasim
