// SPDX-License-Identifier: Apache-2.0
// A run against measurements of hardware: a table of workload, metric, value, unit, source.
#pragma once

#include <string>
#include <vector>

#include "sim/report/result/run_data.h"

namespace teslasim {

struct HardwareMeasurement {
  std::string workload;  ///< name of a kernel or of a run's input
  std::string metric;    ///< a number of runs (statistic_names.h)
  double value = 0.0;    ///< in the unit of the metric, whatever the table has
  std::string unit, source;
};

/// Reads comma-separated values with that heading; `place` is the name in messages. Times are in s, ms, us or ns and
/// converted; other numbers are in the unit that the statistics reference gives. Throws InputError (HW-PROFILE) with
/// all that is wrong.
[[nodiscard]] std::vector<HardwareMeasurement> read_hardware_profile(const std::string& place, const std::string& text);

/// Each measurement that a run is about: value, simulated, error; then the geometric mean error. A run that did not
/// finish, or computed something wrong, has no error.
[[nodiscard]] std::string hardware_compare_text(const std::vector<HardwareMeasurement>& measurements,
                                                const std::vector<RunData>& runs);

}  // namespace teslasim
