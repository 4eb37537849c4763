// SPDX-License-Identifier: Apache-2.0
#include "sim/model/model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

/// Ends an evaluation; caught in `evaluate` and nowhere else.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace

Evaluation::Evaluation(const Model& model, const InputSet& inputs) : model_(model), inputs_(inputs) {
  prediction_.model = model.name;
}

bool Evaluation::has(std::string_view name) const {
  return inputs_.find(name) != nullptr;
}

bool Evaluation::has_all(std::initializer_list<std::string_view> names) const {
  return std::all_of(names.begin(), names.end(), [this](std::string_view name) { return has(name); });
}

void Evaluation::require(std::initializer_list<std::string_view> names) const {
  std::vector<std::string_view> missing;
  std::copy_if(names.begin(), names.end(), std::back_inserter(missing), [this](auto name) { return !has(name); });
  if (!missing.empty()) refuse("it needs " + listed(missing));
}

const InputValue& Evaluation::use(std::string_view name) {
  require({name});
  const InputValue& value = *inputs_.find(name);
  const auto used = [name](const PredictionInput& input) { return input.name == name; };
  if (std::none_of(prediction_.inputs.begin(), prediction_.inputs.end(), used)) {
    const InputInfo* info = find_input_info(name);
    prediction_.inputs.push_back(
        {std::string(name), value.number, value.word, info ? std::string(info->unit) : "", value.origin, value.source});
    prediction_.level = std::max(prediction_.level, level_of(value.origin));
  }
  return value;
}

double Evaluation::need(std::string_view name) {
  const InputValue& value = use(name);
  const InputInfo* info = find_input_info(name);
  SIM_CHECK(info != nullptr, "model input without a row in inputs.def: " + std::string(name));
  if (!(value.number >= info->minimum && value.number <= info->maximum)) {
    refuse(std::string(name) + " = " + std::to_string(value.number) + " is outside its range" +
           (value.source.empty() ? "" : " (" + value.source + ")"));
  }
  return value.number;
}

double Evaluation::value_or(std::string_view name, double otherwise, std::string_view why) {
  if (has(name)) return need(name);
  const InputInfo* info = find_input_info(name);
  prediction_.inputs.push_back(
      {std::string(name), otherwise, "", info ? std::string(info->unit) : "", InputOrigin::assumed, std::string(why)});
  return otherwise;
}

std::string Evaluation::word(std::string_view name) {
  return use(name).word;
}

void Evaluation::term(std::string_view name, double value, std::string_view unit, std::string_view meaning) {
  if (!std::isfinite(value)) refuse(std::string(name) + " is not a finite number with these inputs");
  prediction_.terms.push_back({std::string(name), value, std::string(unit), std::string(meaning)});
}

void Evaluation::seconds(double value) {
  if (!std::isfinite(value)) refuse("the time is not a finite number with these inputs");
  prediction_.seconds = value;
}

void Evaluation::note(std::string text) {
  prediction_.notes.push_back(std::move(text));
}

void Evaluation::refuse(const std::string& reason) const {
  throw Refusal(reason);
}

Prediction Evaluation::finish() {
  try {
    model_.evaluate(*this);
  } catch (const Refusal& refusal) {
    prediction_.refusal = refusal.what();
    prediction_.seconds.reset();
    prediction_.bound.clear();
  }
  return std::move(prediction_);
}

const Model* find_model(std::string_view name) {
  const std::span<const Model> all = models();
  const auto found = std::find_if(all.begin(), all.end(), [name](const Model& model) { return model.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Prediction evaluate(const Model& model, const InputSet& inputs) {
  return Evaluation(model, inputs).finish();
}

std::vector<Prediction> predict_launch(const InputSet& inputs) {
  std::vector<Prediction> predictions;
  for (const Model& model : models()) {
    if (model.of_launch()) predictions.push_back(evaluate(model, inputs));
  }
  return predictions;
}

std::string describe(const Model& model) {
  std::string text = "model " + std::string(model.name) + "\n";
  const auto line = [&text](const char* label, std::string_view content) {
    text += "    " + std::string(label) + ": " + std::string(content) + "\n";
  };
  line("purpose", model.purpose);
  line("source", model.source);
  line("level", model.level);
  line("assumes", model.assumptions);
  line("limits", model.limits);
  text += "    inputs (? = can do without):\n";
  for (const std::string_view name : model.inputs) {
    const std::string_view bare = name.ends_with('?') ? name.substr(0, name.size() - 1) : name;
    const InputInfo* info = find_input_info(bare);
    text += "      " + std::string(name);
    if (info != nullptr) {
      text += info->unit.empty() ? "" : " [" + std::string(info->unit) + "]";
      text += ": " + std::string(info->meaning);
    }
    for (const WordInputInfo& row : word_input_table()) {
      if (row.name == bare) text += ": " + std::string(row.meaning);
    }
    text += "\n";
  }
  return text;
}

}  // namespace teslasim
