// SPDX-License-Identifier: Apache-2.0
// Runs against runs: the headline figures, what else changed, and conditions that a change must not exceed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/run_data.h"

namespace teslasim {

struct CompareOptions {
  bool all = false;       ///< list every statistic that changed, not only the headline
  double changed = 0.01;  ///< relative change from which a statistic counts as changed
};

/// A statistic of which at least one run differs from the first.
struct ChangedStatistic {
  std::string name;
  std::vector<std::optional<double>> values;  ///< one per run
};

[[nodiscard]] std::vector<ChangedStatistic> changed_statistics(const std::vector<RunData>& runs, double changed);

/// The table: one column per run; with two runs a column of changes.
[[nodiscard]] std::string compare_text(const std::vector<RunData>& runs, const CompareOptions& options);
[[nodiscard]] std::string compare_json(const std::vector<RunData>& runs, const CompareOptions& options);

/// `--fail-on`: NAME ("<" | ">") ("+" | "-")NUMBER["%"], e.g. 'time_ms>+2%': the change from the first run to another
/// one.
struct ChangeLimit {
  std::string text;  ///< as given
  std::string name;
  bool above = true;  ///< fails when the change is above the bound
  double bound = 0.0;
  bool relative = false;
};

/// Throws InputError (usage, CLI-FAIL-ON).
[[nodiscard]] ChangeLimit parse_change_limit(const std::string& text);

struct CheckedLimit {
  ChangeLimit limit;
  bool failed = false;
  std::string actual;  ///< the worst change, or why there is none
};

/// A name that no run has fails: a gate must not pass because of a slip.
[[nodiscard]] CheckedLimit check_limit(const ChangeLimit& limit, const std::vector<RunData>& runs);
[[nodiscard]] std::string limit_report(const std::vector<CheckedLimit>& limits);

}  // namespace teslasim
