// SPDX-License-Identifier: Apache-2.0
// Sums of launches: what a run of very many launches keeps of those whose details nobody asked for.
#pragma once

#include "sim/report/result/result.h"

namespace teslasim {

/// Adds a launch of the same kernel to `sum`, which becomes one. Counters, times and histograms are added, by
/// instruction, SM and partition too; predictions are added where each launch has one. Blocks and time series are of
/// single launches, so a sum has none.
void add_launch(LaunchResult& sum, LaunchResult launch, std::uint64_t number);

/// Makes a single launch a sum of one.
void begin_sum(LaunchResult& launch, std::uint64_t number);

}  // namespace teslasim
