// SPDX-License-Identifier: Apache-2.0
#include "sim/model/steady_pace.h"

#include <algorithm>
#include <cmath>

#include "sim/base/diagnostic.h"
#include "sim/base/student_t.h"

namespace teslasim {
namespace {

/// Femtoseconds per block, wave by wave, without the first one and the last one.
std::vector<double> batch_means(const std::vector<Femtoseconds>& ends, std::uint64_t wave) {
  std::vector<double> means;
  for (std::uint64_t last = 2 * wave; last + wave <= ends.size(); last += wave)
    means.push_back(static_cast<double>((ends[last - 1] - ends[last - 1 - wave]).count()) / static_cast<double>(wave));
  return means;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double squares_around(const std::vector<double>& values, double mean) {
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

/// The line of least squares through values at 0, 1, 2...
struct Line {
  double slope = 0.0;
  double error = 0.0;  ///< standard error of the slope
};

Line line_through(const std::vector<double>& values, double mean) {
  const auto count = static_cast<double>(values.size());
  double places = 0.0, products = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double place = static_cast<double>(i) - (count - 1.0) / 2.0;
    places += place * place;
    products += place * (values[i] - mean);
  }
  Line line;
  line.slope = products / places;
  const double left = std::max(squares_around(values, mean) - line.slope * products, 0.0);
  line.error = std::sqrt(left / (count - 2.0) / places);
  return line;
}

}  // namespace

SteadyPace steady_pace(std::vector<Femtoseconds> ends, std::uint64_t wave) {
  SIM_CHECK(wave != 0 && ends.size() >= SteadyPace::least_waves * wave, "too few blocks ended to tell their pace");
  std::sort(ends.begin(), ends.end());
  const std::vector<double> means = batch_means(ends, wave);
  const auto count = static_cast<double>(means.size());
  SteadyPace pace;
  pace.femtoseconds_per_block = mean_of(means);
  const double variance = squares_around(means, pace.femtoseconds_per_block) / (count - 1.0);
  pace.bound = student_t_95(means.size() - 1) * std::sqrt(variance / count);
  if (pace.femtoseconds_per_block <= 0.0) return pace;
  const Line line = line_through(means, pace.femtoseconds_per_block);
  pace.trend = line.slope * (count - 1.0) / pace.femtoseconds_per_block;
  const bool by_chance = std::abs(line.slope) <= student_t_95(means.size() - 2) * line.error;
  pace.steady = by_chance || std::abs(pace.trend) <= SteadyPace::tolerated_trend;
  return pace;
}

}  // namespace teslasim
