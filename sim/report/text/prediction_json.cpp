// SPDX-License-Identifier: Apache-2.0
// models.json: written and read.
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/diagnostic.h"
#include "sim/base/json_text.h"
#include "sim/report/text/prediction_report.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;
constexpr double ms_per_s = 1e3;

Json input_json(const PredictionInput& input) {
  Json json;
  json["name"] = input.name;
  input.text.empty() ? json["value"] = input.value : json["value"] = input.text;
  json["unit"] = input.unit;
  json["origin"] = name_of(input.origin);
  json["source"] = input.source;
  return json;
}

Json json_of(const Prediction& prediction, const std::optional<double>& simulated_ms) {
  Json json;
  json["model"] = prediction.model;
  json["level"] = name_of(prediction.level);
  json["ms"] = prediction.seconds ? Json(ms_per_s * *prediction.seconds) : Json();
  if (!prediction.seconds) {
    json["why"] = prediction.refusal.empty() ? no_time : prediction.refusal;
  }
  json["bound"] = prediction.bound.empty() ? Json() : Json(prediction.bound);
  json["error"] =
      prediction.seconds && simulated_ms ? Json(relative_error(ms_per_s * *prediction.seconds, *simulated_ms)) : Json();
  json["terms"] = Json::array();
  for (const PredictionTerm& term : prediction.terms) {
    json["terms"].push_back(
        {{"name", term.name}, {"value", term.value}, {"unit", term.unit}, {"meaning", term.meaning}});
  }
  json["inputs"] = Json::array();
  for (const PredictionInput& input : prediction.inputs) json["inputs"].push_back(input_json(input));
  json["notes"] = prediction.notes;
  return json;
}

Json json_of(const TermComparison& row) {
  return {{"term", row.term},
          {"predicted", row.predicted},
          {"simulated", row.simulated},
          {"unit", row.unit},
          {"against", row.against}};
}

Json document_of(const std::vector<LaunchPredictions>& launches, RunStatus status) {
  Json document;
  document["schema"] = models_schema;
  if (status != RunStatus::ok) document["status"] = name_of(status);
  document["launches"] = Json::array();
  for (std::size_t i = 0; i < launches.size(); ++i) {
    Json launch;
    launch["index"] = i;
    launch["kernel"] = launches[i].kernel;
    launch["simulated_ms"] = launches[i].simulated_ms ? Json(*launches[i].simulated_ms) : Json();
    launch["predictions"] = Json::array();
    for (const Prediction& prediction : launches[i].predictions) {
      launch["predictions"].push_back(json_of(prediction, launches[i].simulated_ms));
    }
    document["launches"].push_back(std::move(launch));
  }
  return document;
}

/// Seconds whose milliseconds are `ms` to the last bit: the quotient is next to them.
double seconds_of(double ms) {
  const double near = ms / ms_per_s;
  double below = near, above = near;
  for (int step = 0; step < 3; ++step) {
    if (ms_per_s * below == ms) return below;
    if (ms_per_s * above == ms) return above;
    below = std::nextafter(below, 0.0);
    above = std::nextafter(above, HUGE_VAL);
  }
  return near;
}

/// The one of `values` that is called `name`; the first when none is.
template <typename Value, std::size_t count>
Value named(const std::array<Value, count>& values, std::string_view name) {
  for (const Value value : values) {
    if (name_of(value) == name) return value;
  }
  return values.front();
}

PredictionInput input_from(const Json& json) {
  using Origin = InputOrigin;
  constexpr std::array<Origin, 8> origins{Origin::given,      Origin::configuration, Origin::launch, Origin::functional,
                                          Origin::literature, Origin::calibration,   Origin::timing, Origin::assumed};
  PredictionInput input;
  input.name = json.at("name");
  if (json.at("value").is_number()) input.value = json.at("value");
  if (json.at("value").is_string()) input.text = json.at("value");
  input.unit = json.value("unit", "");
  input.origin = named(origins, json.value("origin", ""));
  input.source = json.value("source", "");
  return input;
}

Prediction prediction_from(const Json& json) {
  constexpr std::array<PredictionLevel, 3> levels{PredictionLevel::p0, PredictionLevel::p1, PredictionLevel::p2};
  Prediction prediction;
  prediction.model = json.at("model");
  if (json.at("ms").is_number()) prediction.seconds = seconds_of(json.at("ms").get<double>());
  // A model that does not predict times is not refused; its terms say what it found.
  const std::string why = json.value("why", "");
  if (!prediction.seconds && why != no_time) prediction.refusal = why;
  if (json.at("bound").is_string()) prediction.bound = json.at("bound");
  prediction.level = named(levels, json.value("level", ""));
  for (const Json& term : json.at("terms")) {
    prediction.terms.push_back({term.at("name"), term.at("value"), term.at("unit"), term.at("meaning")});
  }
  for (const Json& input : json.at("inputs")) prediction.inputs.push_back(input_from(input));
  if (json.contains("notes")) prediction.notes = json.at("notes").get<std::vector<std::string>>();
  return prediction;
}

}  // namespace

std::string prediction_json(const std::vector<LaunchPredictions>& launches, RunStatus status) {
  return json_text(document_of(launches, status), 1) + "\n";
}

std::string prediction_json(const std::vector<LaunchPredictions>& launches, const ComparedTerms& compared) {
  Json document = document_of(launches, RunStatus::ok);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (std::size_t j = 0; j < launches[i].predictions.size(); ++j) {
      Json& rows = document["launches"][i]["predictions"][j]["compared"] = Json::array();
      for (const TermComparison& row : compared.at(i).at(j)) rows.push_back(json_of(row));
    }
  }
  return json_text(document, 1) + "\n";
}

std::vector<LaunchPredictions> read_predictions(const std::string& label, const std::string& text) {
  try {
    std::vector<LaunchPredictions> launches;
    const Json document = Json::parse(shallow_json(text));
    for (const Json& launch : document.at("launches")) {
      LaunchPredictions row;
      row.kernel = launch.at("kernel");
      if (launch.at("simulated_ms").is_number()) row.simulated_ms = launch.at("simulated_ms").get<double>();
      for (const Json& prediction : launch.at("predictions")) row.predictions.push_back(prediction_from(prediction));
      launches.push_back(std::move(row));
    }
    return launches;
  } catch (const Json::exception& error) {
    Diagnostic diagnostic;
    diagnostic.code = "RUN-DAMAGED";
    diagnostic.message = "models.json of run '" + label + "' is not what a run writes: " + json_problem(error);
    diagnostic.help = "give the directory of a finished run";
    throw InputError(ExitCode::input, std::move(diagnostic));
  }
}

}  // namespace teslasim
