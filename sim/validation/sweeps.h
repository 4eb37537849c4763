// SPDX-License-Identifier: Apache-2.0
// Measurements over a range, for the plots of docs/validation.md.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/validation/svg_plot.h"
#include "sim/validation/validation.h"

namespace teslasim {

/// One line of a plot: `measure` with each value in the place of "{x}".
struct SweepSeries {
  std::string_view label;
  std::string_view machine;
  std::string_view measure;
};

/// A published figure in a plot: the value of the row `id`, at `x`.
struct PublishedPoint {
  std::string_view id;
  double x;
};

struct Sweep {
  std::string_view name;        ///< of the file
  std::string_view experiment;  ///< below which it is shown
  std::string_view title, x_label, y_label;
  bool logarithmic_x;
  std::vector<double> x;
  std::vector<SweepSeries> series;
  std::vector<PublishedPoint> published;
};

[[nodiscard]] const std::vector<Sweep>& sweeps();

/// Those of E31: mixtures of instructions, and of reads and writes.
[[nodiscard]] std::vector<Sweep> mixture_sweeps();

/// Measures the sweeps and gives their plots, in the same order. What cannot be measured is left out of its curve.
[[nodiscard]] std::vector<Plot> measured_plots(const std::vector<Sweep>& wanted, const WorkerOptions& options);

}  // namespace teslasim
