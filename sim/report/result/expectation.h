// SPDX-License-Identifier: Apache-2.0
// `--expect`: a condition over the statistics of a run, for grading and continuous integration.
//   expectation = [ "!" ] name | name comparison number
//   comparison  = "<" | "<=" | ">" | ">=" | "==" | "!="
// Names: outputs_ok, time_ms, cycles, stall.<reason>_pct, or a dotted path of stats.json. A path without a launch
// ("shared.replays") means the sum over the launches for counts and is refused for ratios of several launches;
// "launches.1.shared.replays" names one launch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/result/result.h"

namespace teslasim {

struct CheckedExpectation {
  std::string text;  ///< as given
  bool pass = false;
  std::string actual;  ///< the value found, or why there is none
};

/// Checks the grammar and the names before anything is simulated; throws InputError (usage) when one is wrong.
void validate_expectations(const std::vector<std::string>& texts);

/// Evaluates an expectation that `validate_expectations` has accepted.
[[nodiscard]] CheckedExpectation evaluate_expectation(const std::string& text, const Result& result);

/// The lines "expect: ... pass|FAIL (actual)".
[[nodiscard]] std::string expectation_report(const std::vector<CheckedExpectation>& checked);

}  // namespace teslasim
