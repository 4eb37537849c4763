// SPDX-License-Identifier: Apache-2.0
#include "sim/base/prediction.h"

#include <algorithm>
#include <cmath>

namespace teslasim {

const PredictionTerm* Prediction::find_term(std::string_view name) const {
  const auto found = std::find_if(terms.begin(), terms.end(), [name](const auto& term) { return term.name == name; });
  return found == terms.end() ? nullptr : &*found;
}

std::string_view name_of(InputOrigin origin) {
  switch (origin) {
    case InputOrigin::configuration:
      return "configuration";
    case InputOrigin::launch:
      return "launch";
    case InputOrigin::functional:
      return "functional count";
    case InputOrigin::literature:
      return "literature";
    case InputOrigin::calibration:
      return "calibration";
    case InputOrigin::timing:
      return "timing of the run";
    case InputOrigin::given:
      return "given";
    case InputOrigin::assumed:
      return "assumed";
  }
  return "";
}

std::string_view name_of(PredictionLevel level) {
  switch (level) {
    case PredictionLevel::p0:
      return "P0";
    case PredictionLevel::p1:
      return "P1";
    case PredictionLevel::p2:
      return "P2";
  }
  return "";
}

PredictionLevel level_of(InputOrigin origin) {
  if (origin == InputOrigin::timing) return PredictionLevel::p2;
  return origin == InputOrigin::calibration ? PredictionLevel::p1 : PredictionLevel::p0;
}

double relative_error(double predicted, double simulated) {
  return (predicted - simulated) / simulated;
}

ErrorSummary summarise_errors(const std::vector<double>& errors) {
  constexpr double smallest = 1e-6, good = 0.25;
  ErrorSummary summary;
  summary.count = errors.size();
  if (errors.empty()) return summary;
  double logarithms = 0.0;
  std::size_t below = 0;
  for (const double error : errors) {
    logarithms += std::log(std::max(std::abs(error), smallest));
    below += std::abs(error) < good ? 1 : 0;
  }
  const auto count = static_cast<double>(errors.size());
  summary.geometric_mean = std::exp(logarithms / count);
  summary.share_below_25pct = static_cast<double>(below) / count;
  return summary;
}

}  // namespace teslasim
