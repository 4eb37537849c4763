// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/chunk_size.h"

#include <algorithm>
#include <cmath>

namespace teslasim {
namespace {

constexpr double seconds_per_task = 300.0;
constexpr std::size_t fewest_tasks = 16;

std::size_t shared(std::size_t points, std::size_t tasks) {
  return (points + tasks - 1) / tasks;
}

}  // namespace

std::size_t chunk_size(std::size_t points, std::optional<double> seconds_per_point, std::size_t largest_array) {
  std::size_t chunk = 1;
  if (seconds_per_point) {
    const double in_time = std::floor(seconds_per_task / std::max(*seconds_per_point, 1e-3));
    chunk = std::min(static_cast<std::size_t>(in_time), shared(points, fewest_tasks));
  }
  return std::max({std::size_t{1}, chunk, shared(points, largest_array)});
}

}  // namespace teslasim
