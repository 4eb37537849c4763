// SPDX-License-Identifier: Apache-2.0
// The order of instructions, chosen together with the number of registers that it takes.
//
// An order is only as good as what the allocator makes of it, so the ones that promise most are tried: one that needs
// few registers, one that waits least with no more registers than that, and one that waits least with as many as cost
// no occupancy. Instructions stay in their blocks.
#pragma once

#include <cstdint>

#include "frontend/compiler/machine.h"
#include "frontend/compiler/register_allocator.h"

namespace teslasim::compiler {

struct ScheduleOptions {
  std::uint8_t sm = 13;
  unsigned most_registers = most_general_registers;
  unsigned threads = 0;  ///< per block, as the kernel promises; 0: unknown
};

/// Puts instructions in order, then allocates. Fences that are no instructions vanish.
[[nodiscard]] RegisterAllocation schedule_and_allocate(MachineFunction& function, const ScheduleOptions& options);

/// For code that is to stay in the order of its source: the fences vanish.
void remove_fences(MachineFunction& function);

}  // namespace teslasim::compiler
