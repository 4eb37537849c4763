// SPDX-License-Identifier: Apache-2.0
// The hottest double-precision operations, eight lanes at a time on hosts with AVX2. Same bits as double.cpp: the same
// IEEE operations, only wider. Which one runs is decided when an instruction is bound.
#pragma once

#include "isa/instruction.h"

namespace teslasim::semantics {

/// Rounded to nearest. Each returns false, having written nothing, where a result is NaN, also in a lane that does not
/// execute: double.cpp knows which NaN. Flags are left to the caller. Precondition: `wide_lanes()`.
[[nodiscard]] bool wide_double_fma(const Instruction& instruction, LaneContext& context);
[[nodiscard]] bool wide_double_add(const Instruction& instruction, LaneContext& context);
[[nodiscard]] bool wide_double_multiply(const Instruction& instruction, LaneContext& context);

}  // namespace teslasim::semantics
