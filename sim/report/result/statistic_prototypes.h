// SPDX-License-Identifier: Apache-2.0
// Results made up to have one of everything that stats.json can hold: what names, the schema and the reference page are
// made from before there is a run.
#pragma once

#include <vector>

#include "sim/report/result/result.h"

namespace teslasim {

/// One launch, the sum of several, with one SM, one partition, one buffer and one prediction.
[[nodiscard]] Result prototype_result();

/// That one; runs whose values are missing where they can be; and a run without time.
[[nodiscard]] std::vector<Result> prototype_results();

}  // namespace teslasim
