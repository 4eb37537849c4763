// SPDX-License-Identifier: Apache-2.0
// The names of numbers that a run can have, known before there is a run: what --expect, --fail-on, the columns of a
// sweep and tables of measurements may name.
//   time_ms, cycles, stall.<reason>_pct and slots_pct.<reason> (the same), a dotted path of stats.json;
//   "launches.1.shared.replays" names one launch of several.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/report/result/statistic_table.h"

namespace teslasim {

/// A path of `statistics_of` as people write it, with positions in lists: "launches.0.shared.replays".
[[nodiscard]] std::string dotted_name(std::string_view path);

/// Values that are words or true/false are named by conditions of a single run only.
enum class NamedValue : std::uint8_t { number, any };

[[nodiscard]] bool is_statistic_name(std::string_view name, NamedValue wanted = NamedValue::number);
/// What a misspelt name was probably meant to be, or empty. A `#` in it stands for a number.
[[nodiscard]] std::string nearest_statistic_name(const std::string& name);
/// Unit of the named number as the statistics reference writes it; empty when it has none or is not known.
[[nodiscard]] std::string statistic_unit(std::string_view name);
/// What the named number means, or nullptr: of "launches.0.shared.degree_hist.4" the row "shared.degree_hist.*".
[[nodiscard]] const StatisticInfo* statistic_meaning(std::string_view name);
/// The reason in "stall.<reason>_pct" or "slots_pct.<reason>"; empty for other names.
[[nodiscard]] std::string_view reason_in_name(std::string_view name);

}  // namespace teslasim
