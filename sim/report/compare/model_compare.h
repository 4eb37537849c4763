// SPDX-License-Identifier: Apache-2.0
// A simulation against the analytical models, term by term: what each model computed on its way, beside what the
// simulation counted for the same thing.
#pragma once

#include <string>
#include <vector>

#include "sim/report/result/run_data.h"
#include "sim/report/text/prediction_report.h"

namespace teslasim {

/// The terms of a prediction that have a counterpart; `prefix` is "launches.N." in runs of several launches, else
/// empty.
[[nodiscard]] std::vector<TermComparison> compare_terms(const Prediction& prediction, const RunData& run,
                                                        const std::string& prefix);

/// As models.json, with `compared` in each prediction: the terms beside what was simulated.
[[nodiscard]] std::string model_compare_json(const std::vector<LaunchPredictions>& launches, const RunData& run);

/// Table of times and bounds, then the terms, then one sentence per model on the term that differs most.
[[nodiscard]] std::string model_compare_text(const std::vector<LaunchPredictions>& launches, const RunData& run);

}  // namespace teslasim
