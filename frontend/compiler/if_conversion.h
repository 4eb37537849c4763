// SPDX-License-Identifier: Apache-2.0
// Short branches become straight code: what they compute is computed by all threads, what they load and store is
// guarded by the condition, and where the ways met a select takes the right value.
//
// Threads are not parted, so nobody pushes and pops a place to meet, and the code around it becomes one block. A branch
// stays when it costs less: when its ways are long, or when threads of a warp go the same way and what they skip is
// more than the branch. Barriers, atomic operations and votes are never put under a guard. Sources: Allen, Kennedy,
// Porterfield, Warren 1983, "Conversion of control dependence to data dependence"; Collange 2010 on what branches cost.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Precondition: cycles have one entry each. Returns whether anything changed.
bool convert_branches(IrFunction& function);

}  // namespace teslasim::compiler
