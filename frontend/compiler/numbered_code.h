// SPDX-License-Identifier: Apache-2.0
// Instructions with the numbers of their registers, and which of them have a form of four bytes.
#pragma once

#include "frontend/compiler/machine.h"
#include "frontend/compiler/register_allocator.h"

namespace teslasim::compiler {

[[nodiscard]] Instruction numbered(const MachineInstruction& one, const RegisterAllocation& allocation);

/// A move from a register to itself.
[[nodiscard]] bool is_superfluous(const MachineInstruction& one, const RegisterAllocation& allocation);

/// Could the instruction stand in four bytes, if its neighbour does?
[[nodiscard]] bool fits_short(Instruction instruction);
void make_short(Instruction& instruction);

}  // namespace teslasim::compiler
