// SPDX-License-Identifier: Apache-2.0
// Line charts as SVG, for the documentation: fixed size, fixed colours, the same text for the same values.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace teslasim {

struct PlotCurve {
  std::string label;
  std::vector<std::pair<double, double>> points;
  bool published = false;  ///< drawn as crosses without a line
};

struct Plot {
  std::string title, x_label, y_label;
  bool logarithmic_x = false;  ///< base 2
  std::vector<PlotCurve> curves;
};

/// The chart as a complete SVG file. Curves without points are left out; at most eight colours.
[[nodiscard]] std::string svg_plot(const Plot& plot);

}  // namespace teslasim
