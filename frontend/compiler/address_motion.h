// SPDX-License-Identifier: Apache-2.0
// Address registers that every turn of a loop sets anew from the same values are set before the loop, once for all
// blocks, as long as the chip has enough of them.
#pragma once

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// Before registers are allocated: each address register still has one definition.
void hoist_address_registers(MachineFunction& function);

}  // namespace teslasim::compiler
