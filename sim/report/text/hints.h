// SPDX-License-Identifier: Apache-2.0
// What to try next: a table of rules over the statistics of a launch. The summary prints the most urgent one that
// applies, the report the first three as its verdict.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/launch_statistics.h"

namespace teslasim {

/// The value of a statistic of one launch by its name in stats.json, e.g. "issue_slots.mem.global".
using StatisticLookup = std::function<std::optional<double>(std::string_view)>;

/// left > factor x right; left > factor without `right`; factor > right without `left`. Empty: it always holds.
struct HintCondition {
  std::string_view left;
  double factor = 1.0;
  std::string_view right{};
};

struct HintRule {
  std::string_view topic;  ///< page of `teslasim explain`
  /// Reasons whose issue slots the remedy could save at most: their sum is the share that the rule is about.
  std::array<std::string_view, 6> reasons;
  std::array<HintCondition, 3> conditions;
  std::string_view efficiency;  ///< a percentage: only the rest of the slots could be saved. Empty: all of them
  double threshold;             ///< the rule applies from this share (0..1) on
  double urgency;               ///< 1 for what is easily cured, less for what may have to stay as it is
  std::string_view text;        ///< what is wrong and what to try, one sentence: "finding: remedy"
  std::string_view evidence;    ///< numbers behind it; "{name}" is the value of a statistic
  /// The share of the time at the end in which no SM had a block: 1 adds it, -1 takes it off.
  double drain = 0.0;
};

struct Hint {
  double share = 0.0;
  std::string_view text;
  std::string_view topic;
  std::string evidence;
  double urgency = 0.0;
  /// Speed-up if those slots vanished and nothing else became slower: an upper bound.
  [[nodiscard]] double gain() const { return share < 1.0 ? 1.0 / (1.0 - share) : 1.0; }
};

[[nodiscard]] std::span<const HintRule> hint_rules();
[[nodiscard]] StatisticLookup statistics_in(const LaunchStatistics& launch);

/// The rules that apply, largest share times urgency first; of a topic the first alone.
[[nodiscard]] std::vector<Hint> hints_for(const StatisticLookup& statistics);
/// The first of them; `text` is empty when there is none.
[[nodiscard]] Hint best_hint(const LaunchStatistics& launch);

}  // namespace teslasim
