// SPDX-License-Identifier: Apache-2.0
// The interface of an analytical model: a row of facts about it and a function from inputs to a prediction.
//
// A model requests its inputs from an Evaluation and stores its terms there. A missing input, or one outside the
// model's assumptions, ends the evaluation with a reason in Prediction::refusal. Terms computed before that are kept,
// so a model that has only the machine still reports what follows from it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/prediction.h"
#include "sim/model/input_set.h"

namespace teslasim {

class Evaluation;

/// What a model says something about.
enum class ModelSubject : std::uint8_t {
  launch_time,  ///< the time of a launch
  launch,       ///< something else of a launch: residence, bounds, overhead
  designs,      ///< designs and machines
};

struct Model {
  std::string_view name;         ///< the one name everywhere: tables, `--model`, JSON; e.g. "hong-kim"
  std::string_view source;       ///< author, year, equations
  std::string_view level;        ///< which kinds of inputs it takes: "P0", "P0; P1 with calibration"
  std::string_view purpose;      ///< one sentence
  std::string_view assumptions;  ///< sentences
  std::string_view limits;       ///< known limits and flags of the published model, sentences
  ModelSubject subject;
  std::vector<std::string_view> inputs;  ///< names of inputs.def; a trailing `?` marks what it can do without
  void (*evaluate)(Evaluation& evaluation);

  [[nodiscard]] bool of_launch() const { return subject != ModelSubject::designs; }
};

/// All models, in the order in which they are shown.
[[nodiscard]] std::span<const Model> models();
/// By name; nullptr when there is none.
[[nodiscard]] const Model* find_model(std::string_view name);

[[nodiscard]] Prediction evaluate(const Model& model, const InputSet& inputs);

/// Every model of a launch, in order.
[[nodiscard]] std::vector<Prediction> predict_launch(const InputSet& inputs);

/// The page of `teslasim explain`: source, assumptions, level, limits, inputs with units and meanings.
[[nodiscard]] std::string describe(const Model& model);

/// One evaluation of one model; used by the models only.
class Evaluation {
 public:
  Evaluation(const Model& model, const InputSet& inputs);

  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] bool has_all(std::initializer_list<std::string_view> names) const;
  /// Ends the evaluation when one of `names` is missing; all missing ones are named.
  void require(std::initializer_list<std::string_view> names) const;
  /// The value of an input, which becomes one of the prediction's; ends the evaluation when it is missing.
  double need(std::string_view name);
  /// The value, or `otherwise` noted as the model's own assumption.
  double value_or(std::string_view name, double otherwise, std::string_view why);
  std::string word(std::string_view name);

  void term(std::string_view name, double value, std::string_view unit, std::string_view meaning);
  void bound(std::string_view what) { prediction_.bound = what; }
  void seconds(double value);
  void note(std::string text);
  /// Ends the evaluation: the launch is outside the assumptions of the model.
  [[noreturn]] void refuse(const std::string& reason) const;

  [[nodiscard]] Prediction finish();

 private:
  const InputValue& use(std::string_view name);

  const Model& model_;
  const InputSet& inputs_;
  Prediction prediction_;
};

}  // namespace teslasim
