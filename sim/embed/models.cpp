// SPDX-License-Identifier: Apache-2.0
#include <teslasim/models.h>

#include "sim/embed/run_state.h"
#include "sim/model/model.h"

namespace teslasim::embed {

std::vector<ModelInfo> models() {
  std::vector<ModelInfo> all;
  for (const Model& model : teslasim::models()) {
    ModelInfo info;
    info.name = model.name;
    info.purpose = model.purpose;
    info.source = model.source;
    info.level = model.level;
    info.assumptions = model.assumptions;
    info.limits = model.limits;
    info.of_launch = model.of_launch();
    info.inputs.assign(model.inputs.begin(), model.inputs.end());
    all.push_back(std::move(info));
  }
  return all;
}

std::vector<Prediction> predictions_of(const std::vector<LaunchPredictions>& launches) {
  constexpr double ms_per_second = 1e3;
  std::vector<Prediction> all;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (const teslasim::Prediction& said : launches[i].predictions) {
      Prediction prediction;
      prediction.launch = i;
      prediction.kernel = launches[i].kernel;
      prediction.model = said.model;
      if (said.seconds) prediction.ms = *said.seconds * ms_per_second;
      prediction.simulated_ms = launches[i].simulated_ms;
      prediction.bound = said.bound;
      prediction.level = name_of(said.level);
      prediction.refusal = said.refusal;
      prediction.notes = said.notes;
      for (const teslasim::PredictionTerm& term : said.terms)
        prediction.terms.push_back({term.name, term.value, term.unit, term.meaning});
      all.push_back(std::move(prediction));
    }
  }
  return all;
}

}  // namespace teslasim::embed
