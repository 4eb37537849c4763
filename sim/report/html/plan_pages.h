// SPDX-License-Identifier: Apache-2.0
// report.html of a sweep and of an exploration (`dse`): curves, fronts and what area bought, made of the table alone.
#pragma once

#include <string>
#include <vector>

#include "sim/report/csv/plan_table.h"

namespace teslasim {

/// What is known of a plan beside its table.
struct PlanPage {
  std::string name;
  std::string machine;
  std::vector<std::string> axes;  ///< columns of the table that hold settings
  PlanTable table;                ///< table.csv
};

struct SweepPage {
  PlanPage plan;
  std::string mode;                  ///< grid, zip, list, random
  std::vector<std::string> columns;  ///< columns of the table that hold statistics; the first is shown first
};
[[nodiscard]] std::string sweep_page(const SweepPage& page);

/// Machines of about one area.
struct ExplorationPage {
  PlanPage plan;
  std::string model;        ///< that screened them
  double budget_mm2 = 0.0;  ///< of area
};
[[nodiscard]] std::string exploration_page(const ExplorationPage& page);

/// A model of designs by number of processing elements; `plan.machine` is the name of the model.
[[nodiscard]] std::string designs_page(const PlanPage& plan);

}  // namespace teslasim
