// SPDX-License-Identifier: Apache-2.0
// lanes.json: the executions that `run --lanes` recorded, schema teslasim.lanes/1.
#pragma once

#include <string>

#include "sim/base/lane_record.h"

namespace teslasim {

[[nodiscard]] std::string lanes_json(const LaneRecords& records);
/// What is missing or of another kind is left as it is by default.
[[nodiscard]] LaneRecords read_lanes(const std::string& text);

}  // namespace teslasim
