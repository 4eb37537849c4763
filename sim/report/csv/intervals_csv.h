// SPDX-License-Identifier: Apache-2.0
// The time series of a run as a table: intervals.csv.
#pragma once

#include <string>

#include "sim/report/result/result.h"

namespace teslasim {

/// One line per interval of the whole GPU (sm = -1) and, on a GPU with several SMs, per wider interval of each SM; at
/// most 2,048 lines per launch. Cycles are shader cycles; slots are integers that sum to those of stats.json; warps are
/// averages per SM. What an SM's line cannot say (DRAM, crossbar) is empty.
[[nodiscard]] std::string intervals_csv(const Result& result);

}  // namespace teslasim
