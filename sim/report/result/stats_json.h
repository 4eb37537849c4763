// SPDX-License-Identifier: Apache-2.0
// stats.json: the statistics of a run as one nested document, schema teslasim.stats/1.
#pragma once

#include <string>
#include <string_view>

#include "sim/report/result/result.h"

namespace teslasim {

/// Pretty-printed UTF-8, keys in a fixed order, ending in a newline. Counts are integers; what does not apply is null
/// with a sibling `why`; NaN and infinity do not occur.
[[nodiscard]] std::string stats_json(const Result& result);

/// The JSON Schema of that document.
[[nodiscard]] const std::string& stats_json_schema();

}  // namespace teslasim
