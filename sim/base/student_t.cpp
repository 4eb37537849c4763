// SPDX-License-Identifier: Apache-2.0
#include "sim/base/student_t.h"

#include <array>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

/// For 1, 2, 3... degrees of freedom (Student 1908).
constexpr std::array<double, 30> quantiles{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                           2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                           2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
constexpr double normal_quantile = 1.960;

}  // namespace

double student_t_95(std::uint64_t degrees) {
  SIM_CHECK(degrees != 0, "one value says nothing of scatter");
  return degrees <= quantiles.size() ? quantiles[degrees - 1] : normal_quantile;
}

}  // namespace teslasim
