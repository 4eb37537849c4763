// SPDX-License-Identifier: Apache-2.0
// The order of instructions, chosen together with the number of registers that it takes.
//
// Blocks keep the order of their source (source_order.h), whatever registers that takes, as NVIDIA's compiler did.
// Where it takes more than the kernel may have, an order is only as good as what the allocator makes of it, so the ones
// that promise most are tried: one that needs few registers, and one that waits least with no more registers than that.
// Instructions stay in their blocks.
#pragma once

#include "frontend/compiler/machine.h"
#include "frontend/compiler/register_allocator.h"

namespace teslasim::compiler {

/// Puts instructions in order, then allocates. Fences that are no instructions vanish.
[[nodiscard]] RegisterAllocation schedule_and_allocate(MachineFunction& function, unsigned most_registers);

/// For code that is to stay in the order of its source: the fences vanish.
void remove_fences(MachineFunction& function);

}  // namespace teslasim::compiler
