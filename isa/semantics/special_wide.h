// SPDX-License-Identifier: Apache-2.0
// Special functions and range reductions, eight lanes at a time on hosts with AVX2. Same bits as special.cpp: the terms
// of the interpolation are integers below 2^42, which the host's doubles hold exactly.
#pragma once

#include "isa/instruction.h"

namespace teslasim::semantics {

/// What performs rcp, rsqrt, lg2, sin, cos, ex2, presin or preex2 without clamping. Precondition: `wide_lanes()`.
[[nodiscard]] Semantics wide_special(Opcode opcode);

}  // namespace teslasim::semantics
