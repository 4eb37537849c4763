// SPDX-License-Identifier: Apache-2.0
// What to explore within an area (`teslasim.dse/1`): the tables of a sweep plan (sweep_plan.h) and
//
//   [area]                          # mm2; a machine takes fixed + SMs * (per_sm + registers * per_register
//   budget = 118.88                 #                             + bytes of shared memory * per_shared_byte)
//   tolerance = 0.05                # designs between (1 - tolerance) * budget and the budget are considered
//   fixed = 0.0
//   per_sm = 3.99
//   per_register = 0.000352
//   per_shared_byte = 0.000036
//   [screen]
//   model = "zhang-owens"           # predicts each design on each input, from a functional run
//   keep = 4                        # the number of best designs to simulate; 0: the model alone
//
// or, without inputs and axes, a model of designs instead of machines (Ye 2009, chapter 5):
//
//   [design]
//   model = "equal-area"
//   pes = [128, 136, 144]           # one row of the table each
//   area_total = 118.88             # inputs of the model, by their names
#pragma once

#include <string>
#include <vector>

#include "sim/model/model.h"
#include "sim/run/plans/sweep_plan.h"

namespace teslasim {

struct AreaConstants {
  double budget = 0.0, tolerance = 0.05;
  double fixed = 0.0, per_sm = 0.0, per_register = 0.0, per_shared_byte = 0.0;
};

struct DsePlan {
  SweepPlan points;  ///< inputs, axes, rules
  AreaConstants area;
  std::string screen_model = "zhang-owens";
  std::uint64_t keep = 0;
  const Model* design = nullptr;  ///< set: no machines, only this model
  std::vector<double> pes;
  InputSet design_inputs;
};

/// Codes as for sweeps. Throws InputError (ExitCode::configuration) with all mistakes of one kind.
[[nodiscard]] DsePlan read_dse_plan(const std::string& place, const std::string& text);

}  // namespace teslasim
