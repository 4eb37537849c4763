// SPDX-License-Identifier: Apache-2.0
// The analytical models: which there are, and what they say of a launch.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace teslasim::embed {

struct ModelInfo {
  std::string name;     ///< such as "hong-kim"
  std::string purpose;  ///< one sentence
  std::string source;   ///< author, year, equations
  std::string level;    ///< kinds of inputs that it takes: "P0", "P0; P1 with calibration"
  std::string assumptions, limits;
  bool of_launch = false;  ///< says something of a launch, mostly its time; others explore designs and machines
  std::vector<std::string> inputs;
};

/// All models, in the order in which they are shown.
[[nodiscard]] std::vector<ModelInfo> models();

struct PredictionTerm {
  std::string name;
  double value = 0.0;
  std::string unit, meaning;
};

/// What a model says of one launch.
struct Prediction {
  std::size_t launch = 0;
  std::string kernel, model;
  std::optional<double> ms;            ///< nothing: refused, or the model predicts something else
  std::optional<double> simulated_ms;  ///< of the same launch, when it ran in time
  std::string bound;                   ///< what limits, in one or two words
  std::string level;                   ///< "P0", "P1" (with calibration) or "P2" (with timing of the launch itself)
  std::string refusal;                 ///< why there is no time
  std::vector<PredictionTerm> terms;
  std::vector<std::string> notes;
};

}  // namespace teslasim::embed
