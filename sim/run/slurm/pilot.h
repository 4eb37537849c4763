// SPDX-License-Identifier: Apache-2.0
// A few points of a study, run on this host to see how long one takes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "sim/run/slurm/study.h"

namespace teslasim {

/// Points that tell of all: the first, one in the middle, the last. None of fewer than eight, which are not worth it.
[[nodiscard]] std::vector<std::size_t> pilot_points(std::size_t points);

/// Runs these points one after the other, for 20 s at most: a login node is for others, too. What has ended has its
/// results in place. Seconds per point; nothing when none ended, or `interrupted`.
[[nodiscard]] std::optional<double> run_pilot(const std::vector<StudyPoint>& points,
                                              const std::function<bool()>& interrupted);

}  // namespace teslasim
