// SPDX-License-Identifier: Apache-2.0
// Which lane touched which bank or segment: drawn from the executions that `run --lanes` recorded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/lane_record.h"
#include "sim/report/result/finished_run.h"

namespace teslasim {

enum class LaneSpace : std::uint8_t { on_chip, device };

/// SVG of the first executions of each recorded instruction; "" when nothing was recorded.
[[nodiscard]] std::string lane_pictures(const FinishedRun& run, LaneSpace space);
/// One execution for the terminal: lanes, and what each touches.
[[nodiscard]] std::string lane_text(const LaneRecord& record);

}  // namespace teslasim
