// SPDX-License-Identifier: Apache-2.0
// How many points one task of a job array has.
#pragma once

#include <cstddef>
#include <optional>

namespace teslasim {

/// As many as take five minutes: starting a task takes a cluster a second or more, and what a lost task did not finish
/// is run again. But when there are few, they make at least 16 tasks; and never more tasks than an array may have.
/// Points of unknown length are alone.
[[nodiscard]] std::size_t chunk_size(std::size_t points, std::optional<double> seconds_per_point,
                                     std::size_t largest_array);

}  // namespace teslasim
