// SPDX-License-Identifier: Apache-2.0
// Sums of counters by instruction address that were counted apart.
#pragma once

#include <vector>

#include "sim/base/launch_statistics.h"

namespace teslasim {

/// Adds `other`, which counts the same instructions, to `sum`.
void add(std::vector<PcStatistics>& sum, const std::vector<PcStatistics>& other);

}  // namespace teslasim
