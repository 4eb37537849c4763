// SPDX-License-Identifier: Apache-2.0
// One special function of one number, for constants and for host tests of the device library.
#pragma once

#include <cstdint>

#include "isa/opcode.h"

namespace teslasim::semantics {

/// What rcp, rsqrt, lg2, sin, cos, ex2, presin or preex2 makes of a 32-bit operand without modifiers.
[[nodiscard]] std::uint32_t special_lane(Opcode opcode, std::uint32_t operand);

}  // namespace teslasim::semantics
