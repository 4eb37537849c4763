// SPDX-License-Identifier: Apache-2.0
// Quantiles of Student's t, for intervals around means of few values.
#pragma once

#include <cstdint>

namespace teslasim {

/// Half of the interval at 95 %, in standard errors (the 97.5 % quantile). `degrees` of freedom: 1 or more; beyond 30
/// the normal quantile.
[[nodiscard]] double student_t_95(std::uint64_t degrees);

}  // namespace teslasim
