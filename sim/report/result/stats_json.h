// SPDX-License-Identifier: Apache-2.0
// stats.json: the statistics of a run as one nested document, schema teslasim.stats/1.
#pragma once

#include <string>
#include <string_view>

#include "sim/report/result/result.h"
#include "sim/report/result/statistic_tree.h"

namespace teslasim {

/// Pretty-printed UTF-8, keys in a fixed order, ending in a newline. Counts are integers; what does not apply is null
/// with a sibling `why`; NaN and infinity do not occur.
[[nodiscard]] std::string stats_json(const Result& result);

/// The document read back. Throws InputError (RUN-DAMAGED) when `text` is not JSON; `label` names the run.
[[nodiscard]] StatisticTree read_statistics(const std::string& label, const std::string& text);

/// Text as a reader of our JSON gets it back: what is not UTF-8 is replaced.
[[nodiscard]] std::string utf8_as_in_json(const std::string& text);

/// Throws InputError (RUN-DAMAGED): the statistics of a run are not what a run writes.
[[noreturn]] void damaged_statistics(const std::string& label, const std::string& what);

/// The JSON Schema of that document.
[[nodiscard]] const std::string& stats_json_schema();

}  // namespace teslasim
