// SPDX-License-Identifier: Apache-2.0
// The hottest single-precision operations, eight lanes at a time on hosts with AVX2. Same bits as float.cpp: the same
// IEEE operations in the same order, only wider. Which one runs is decided when an instruction is bound.
#pragma once

#include "isa/instruction.h"

namespace teslasim::semantics {

/// Which code the hot operations use. `narrow` exists so that tests can compare both on one host.
enum class LaneCode : std::uint8_t { widest, narrow };
void use_lane_code(LaneCode code);
/// True when the host has AVX2 and `narrow` is not asked for.
[[nodiscard]] bool wide_lanes();

/// Each returns false, having written nothing, for a warp that needs the careful code of float.cpp: products that round
/// up to the smallest normal number, addends that are zero. Flags are left to the caller.
[[nodiscard]] bool wide_multiply_add(const Instruction& instruction, LaneContext& context);
[[nodiscard]] bool wide_multiply(const Instruction& instruction, LaneContext& context);
void wide_add(const Instruction& instruction, LaneContext& context);

}  // namespace teslasim::semantics
