// SPDX-License-Identifier: Apache-2.0
// Runs against runs: whether they can be compared, the headline figures, what else changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/compare/change_limit.h"
#include "sim/report/result/run_data.h"

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

/// The table: one column per run; with two runs a column of changes. How much faster a run is is said of two runs that
/// finished with right outputs only.
[[nodiscard]] std::string compare_text(const std::vector<RunData>& runs, const CompareOptions& options);
/// `limits`: what was checked of --fail-on.
[[nodiscard]] std::string compare_json(const std::vector<RunData>& runs, const CompareOptions& options,
                                       const std::vector<CheckedLimit>& limits = {});

}  // namespace teslasim
