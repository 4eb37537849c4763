// SPDX-License-Identifier: Apache-2.0
// What an analytical model said about one launch: plain values, filled by sim/model, printed by sim/report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

/// Where an input of a prediction comes from.
enum class InputOrigin : std::uint8_t {
  configuration,  ///< a key of the machine file, or a figure that follows from keys
  launch,         ///< grid, block, registers, shared memory of the launch
  functional,     ///< a count of the executed program that does not depend on time
  literature,     ///< a published constant
  calibration,    ///< measured with micro-benchmarks on the simulated machine
  timing,         ///< measured in the simulation of the same launch
  given,          ///< written by hand
  assumed,        ///< the model's own default
};

/// The weakest kind of input that a prediction used.
enum class PredictionLevel : std::uint8_t {
  p0,  ///< configuration, launch and functional counts only: a prediction
  p1,  ///< also calibration constants: relative to the calibrated machine
  p2,  ///< also timing of the same launch: a diagnosis, not a prediction
};

struct PredictionInput {
  std::string name;
  double value = 0.0;
  std::string text;  ///< set instead of `value` for inputs that are words
  std::string unit;
  InputOrigin origin = InputOrigin::given;
  std::string source;  ///< which key, counter, table or line
};

struct PredictionTerm {
  std::string name;
  double value = 0.0;
  std::string unit;
  std::string meaning;
};

struct Prediction {
  std::string model;              ///< e.g. "hong-kim"
  std::optional<double> seconds;  ///< absent when refused, and for models that predict something else
  std::string bound;              ///< what limits, in one or two words; empty when the model does not say
  PredictionLevel level = PredictionLevel::p0;
  std::vector<PredictionInput> inputs;  ///< in the order of their use
  std::vector<PredictionTerm> terms;    ///< in the order in which they were computed
  std::vector<std::string> notes;       ///< limits of the model that this launch touches
  std::string refusal;                  ///< why there is no prediction; terms computed before are kept

  [[nodiscard]] const PredictionTerm* find_term(std::string_view name) const;
};

/// "configuration", "launch", ...
[[nodiscard]] std::string_view name_of(InputOrigin origin);
/// "P0", "P1", "P2".
[[nodiscard]] std::string_view name_of(PredictionLevel level);
[[nodiscard]] PredictionLevel level_of(InputOrigin origin);

/// (predicted - simulated) / simulated: Konstantinidis 2017, eq. 5.12 with the simulation in the place of hardware.
[[nodiscard]] double relative_error(double predicted, double simulated);

/// How far a model is off over several launches.
struct ErrorSummary {
  std::size_t count = 0;
  double geometric_mean = 0.0;     ///< of the magnitudes (Hong & Kim 2009); magnitudes below 1e-6 count as 1e-6
  double share_below_25pct = 0.0;  ///< Konstantinidis 2017, section 5.2.5
};
[[nodiscard]] ErrorSummary summarise_errors(const std::vector<double>& errors);

}  // namespace teslasim
