// SPDX-License-Identifier: Apache-2.0
// cuprof_cc1x.csv: the counters of the profiler for compute capability 1.x.
#pragma once

#include <string>

#include "sim/report/result/result.h"

namespace teslasim {

/// One line per launch and counter: launch, kernel, counter, scope, value, description. The scope is that of the
/// hardware: one SM or one TPC, not the GPU. A counter that the machine's chip does not have has no value.
[[nodiscard]] std::string profiler_csv(const Result& result);

}  // namespace teslasim
