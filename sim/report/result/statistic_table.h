// SPDX-License-Identifier: Apache-2.0
// The meaning of each statistic: unit, scope, formula and one sentence. What is counted has its row beside the
// structure that counts it (`fields`), what is computed for reports in statistic_table.def.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace teslasim {

struct StatisticInfo {
  std::string path;  ///< dotted, `*` stands for one name
  std::string unit;
  std::string scope;
  std::string formula;  ///< empty: counted directly
  std::string sentence;
};

/// In the order of the document.
[[nodiscard]] std::span<const StatisticInfo> statistic_table();

/// The row for a path of `statistics_of` ("per_sm/#3/issue_slots/mem.global") or nullptr.
[[nodiscard]] const StatisticInfo* find_statistic(std::string_view path);

/// A path as people write it: "issue_slots/mem.global" -> "issue_slots.mem.global"; list positions are left out.
[[nodiscard]] std::string dotted(std::string_view path);

/// Reference manual of all statistics and of the reasons they are split by (Markdown).
[[nodiscard]] std::string statistics_markdown();

}  // namespace teslasim
