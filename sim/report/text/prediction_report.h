// SPDX-License-Identifier: Apache-2.0
// Predictions of analytical models as text and as JSON (schema teslasim.models/1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/prediction.h"
#include "sim/report/result/result.h"

namespace teslasim {

/// The predictions for one launch, and what the simulation said when there was one.
struct LaunchPredictions {
  std::string kernel;
  std::vector<Prediction> predictions;
  std::optional<double> simulated_ms;
};

inline constexpr const char* models_schema = "teslasim.models/1";

/// `why` of a prediction that was not refused, of a model that predicts something else than a time.
inline constexpr const char* no_time = "the model does not predict a time";

[[nodiscard]] std::vector<LaunchPredictions> predictions_of(const Result& result);

enum class PredictionDetail : std::uint8_t {
  table,   ///< one line per model
  terms,   ///< and every term with its meaning, notes
  inputs,  ///< and every input with its origin
};

/// `detail` for each launch in turn.
[[nodiscard]] std::string prediction_text(const std::vector<LaunchPredictions>& launches, PredictionDetail detail);
/// The terms of one prediction: what `--given` prints.
[[nodiscard]] std::string prediction_terms(const Prediction& prediction, PredictionDetail detail);
[[nodiscard]] std::string prediction_json(const std::vector<LaunchPredictions>& launches,
                                          RunStatus status = RunStatus::ok);
/// A term of a prediction beside what the simulation counted for the same thing.
struct TermComparison {
  std::string term;     ///< of the model
  std::string against;  ///< what of the simulation it is put beside
  double predicted = 0.0, simulated = 0.0;
  std::string unit;
  double weight = 0.0;  ///< size of the difference: of the launch's time for times, else relative
};
/// By launch and by prediction.
using ComparedTerms = std::vector<std::vector<std::vector<TermComparison>>>;
/// The same with `compared` in each prediction.
[[nodiscard]] std::string prediction_json(const std::vector<LaunchPredictions>& launches,
                                          const ComparedTerms& compared);
/// What prediction_json wrote. Throws InputError (RUN-DAMAGED) when the text is something else; `label` names the run.
[[nodiscard]] std::vector<LaunchPredictions> read_predictions(const std::string& label, const std::string& text);
/// For the summary, one per model that predicted something: "hong-kim 0.4120 ms (-22 %)".
[[nodiscard]] std::vector<std::string> prediction_entries(const std::vector<LaunchPredictions>& launches);

}  // namespace teslasim
