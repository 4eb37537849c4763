// SPDX-License-Identifier: Apache-2.0
// A measurement as one line of text, in which child processes and jobs of a cluster hand on what they measured: a
// letter and the value, numbers exactly.
#pragma once

#include <string>

#include "sim/base/types.h"
#include "sim/validation/validation.h"

namespace teslasim {

/// Measures; `max_cycles` are SP cycles. What goes wrong is in the line.
[[nodiscard]] std::string measured_line(const MeasureTask& task, SpCycle max_cycles);
[[nodiscard]] MeasureOutcome outcome_of_line(const std::string& line);

}  // namespace teslasim
