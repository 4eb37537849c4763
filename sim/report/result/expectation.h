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

/// What is wrong with a condition: `length` bytes from byte `begin` of its text. 0: something is missing there.
struct ExpectationMistake {
  std::size_t begin = 0, length = 0;
  std::string message, help;
};

/// Grammar and names, before anything is simulated; nothing when both are right.
[[nodiscard]] std::optional<ExpectationMistake> mistake_in_expectation(const std::string& text);

/// Throws InputError (usage) for the first one that is wrong, as a value of `--expect`.
void validate_expectations(const std::vector<std::string>& texts);

/// Evaluates an expectation that `validate_expectations` has accepted.
[[nodiscard]] CheckedExpectation evaluate_expectation(const std::string& text, const Result& result);

/// The lines "expect: ... pass|FAIL (actual)".
[[nodiscard]] std::string expectation_report(const std::vector<CheckedExpectation>& checked);

}  // namespace teslasim
