// SPDX-License-Identifier: Apache-2.0
// Loops over distances that are halved: `for (s = n / 2; s > 0; s >>= 1)`.
//
// LLVM carries twice the distance, halves it where a turn begins, and compares it with 1 where it ends. Carried itself,
// as the source and nvopencc's loops have it, the distance is halved at the end, and the shift says by its flags
// whether anything is left: one instruction less in each turn. Machine code of nvcc has flags from what made a word,
// too
// (`and`, `cvt` and `mul` of FlexGrip's programs).
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Precondition: loops have one entry each and blocks before them. Returns whether anything changed.
bool halve_at_loop_ends(IrFunction& function);

}  // namespace teslasim::compiler
