// SPDX-License-Identifier: Apache-2.0
// What one instruction makes of words of the launch is made again behind a loop that does not read it.
//
// Otherwise it takes a register all through the loop. Source of the idea: Briggs, Cooper, Torczon 1992,
// "Rematerialization".
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Returns whether anything was made again.
bool compute_behind_loops(IrFunction& function);

}  // namespace teslasim::compiler
