// SPDX-License-Identifier: Apache-2.0
// pc.csv: one line per instruction of each launch. Columns whose facts are not modelled are left empty: lat_min,
// lat_p50, lat_p95 and lat_max (latencies of single requests are not recorded).
#pragma once

#include <string>

#include "sim/report/result/result.h"

namespace teslasim {

[[nodiscard]] std::string pc_csv(const Result& result);

}  // namespace teslasim
