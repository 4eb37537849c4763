// SPDX-License-Identifier: Apache-2.0
// Which lane touched which bank or segment: drawn from the executions that `run --lanes` recorded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/lane_record.h"
#include "sim/report/html/report_run.h"

namespace teslasim {

enum class LaneSpace : std::uint8_t { on_chip, device };

/// lanes.json: the recorded executions. What `--lanes` writes and the report reads.
[[nodiscard]] std::string lanes_json(const LaneRecords& records);
/// Lines that are not such records are left out.
[[nodiscard]] LaneRecords read_lanes(const std::string& text);

/// SVG of the first executions of each recorded instruction; "" when nothing was recorded.
[[nodiscard]] std::string lane_pictures(const ReportRun& run, LaneSpace space);
/// One execution for the terminal: lanes, and what each touches.
[[nodiscard]] std::string lane_text(const LaneRecord& record);

}  // namespace teslasim
