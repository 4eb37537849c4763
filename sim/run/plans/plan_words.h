// SPDX-License-Identifier: Apache-2.0
// Which words a plan may have: names, files to keep, columns of its table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

inline constexpr std::size_t longest_plan_name = 100;

/// The name of a plan becomes part of a folder's and a job's: letters, digits, '.', '_', '-', no '.' in front.
[[nodiscard]] bool is_plan_name(std::string_view text);
/// The name of a plan that does not say one: that of its file, as far as it can be.
[[nodiscard]] std::string plan_name_from(const std::string& path);

/// What a run of one point writes, and a plan may keep.
[[nodiscard]] std::vector<std::string> files_of_point();

/// Statistics, of models those that there are.
[[nodiscard]] bool is_column(const std::string& name);
/// What to write in the place of a name that is no column.
[[nodiscard]] std::string column_help(const std::string& name);

[[nodiscard]] bool has_control_character(std::string_view text);

}  // namespace teslasim
