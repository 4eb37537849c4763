// SPDX-License-Identifier: Apache-2.0
// warps.csv: where the cycles of single warps went.
#pragma once

#include <cstdint>
#include <string>

#include "sim/report/result/result.h"

namespace teslasim {

/// Whether warps of a launch were kept one by one.
[[nodiscard]] bool any_warps(const Result& result);
/// Warps that have no line, because their SM had kept as many as it keeps.
[[nodiscard]] std::uint64_t warps_dropped(const Result& result);
/// Lines that warps.csv has.
[[nodiscard]] std::uint64_t warps_kept(const Result& result);
/// One line per warp, by launch, SM and arrival. Times are SP cycles; states are warp cycles, which last two of them,
/// and are called as in stats.json, with '_' for what is no letter.
[[nodiscard]] std::string warps_csv(const Result& result);

}  // namespace teslasim
