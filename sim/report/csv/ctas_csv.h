// SPDX-License-Identifier: Apache-2.0
// ctas.csv: when each block was on which SM.
#pragma once

#include <string>

#include "sim/report/result/result.h"

namespace teslasim {

/// One line per block that was kept (the first 2,048 of each SM), by launch, SM and arrival: number, SM, block slot,
/// first cycle, first cycle without it (empty: it had not finished). Shader cycles.
[[nodiscard]] std::string ctas_csv(const Result& result);

}  // namespace teslasim
