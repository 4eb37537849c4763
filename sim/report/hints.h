// SPDX-License-Identifier: Apache-2.0
// What to try next: a table of rules over the statistics of a launch. The most urgent one that applies is printed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/report/result.h"

namespace teslasim {

struct HintRule {
  std::string_view topic;                    ///< page of `teslasim explain`
  double (*share)(const LaunchStatistics&);  ///< issue slots (0..1) that the remedy could save at most
  double threshold;                          ///< the rule applies from this share on
  double urgency;                            ///< 1 for what is easily cured, less for what may have to stay as it is
  std::string_view text;                     ///< what is wrong and what to try, one sentence
};

struct Hint {
  double share = 0.0;
  std::string_view text;
  std::string_view topic;
};

[[nodiscard]] std::span<const HintRule> hint_rules();

/// The applicable rule with the largest share times urgency; `text` is empty when there is none.
[[nodiscard]] Hint best_hint(const LaunchStatistics& launch);

}  // namespace teslasim
