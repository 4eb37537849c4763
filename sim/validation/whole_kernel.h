// SPDX-License-Identifier: Apache-2.0
// The whole kernels of traces/whole: launches by name, and the published figures that are computed from their times.
//
// Several figures need the time of the same launch (a rate, and its ratio to that of the next step), so a figure says
// which times it is made of, and each time is measured once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/workload.h"
#include "sim/validation/published.h"
#include "sim/validation/validation.h"

namespace teslasim {

/// A file of traces/whole by its name ("nbody.asm"); empty when there is none.
[[nodiscard]] std::string_view whole_file(std::string_view name);

/// "reduction.published/reduction_modulo": the launches of that kernel in traces/whole/reduction.published.launch.toml,
/// alone with the buffers that they name. Throws InternalError when there is none.
[[nodiscard]] Workload whole_kernel_launches(std::string_view name);

/// The measurements that a row needs: its own, or for a row `kernel of=LAUNCH ...` the times of its launches.
[[nodiscard]] std::vector<std::string> measurements_of(const PublishedRow& row);

/// The value of the row from their outcomes, in the same order. A time is that of `of`, with that of the passes
/// `further` and what launching all of them adds on the clock of the source (`clock_us`), without the time of `less`
/// and over `share` when they are given. The value is the time in ms (`in=us`: in us), its ratio to the time of `to`
/// without `to_less`, or `work` per time in units of `giga` (1e9) per second.
[[nodiscard]] MeasureOutcome outcome_of_row(const PublishedRow& row, const std::vector<MeasureOutcome>& outcomes);

}  // namespace teslasim
