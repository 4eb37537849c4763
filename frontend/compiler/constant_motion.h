// SPDX-License-Identifier: Apache-2.0
// Constants that every turn of a loop moves into a register anew are moved there before the loop, where registers allow
// it.
#pragma once

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// Before registers are allocated, of which `room` more may be live at once than now. Whether any constant moved.
[[nodiscard]] bool hoist_constants(MachineFunction& function, unsigned room);

}  // namespace teslasim::compiler
