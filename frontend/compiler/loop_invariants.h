// SPDX-License-Identifier: Apache-2.0
// What every turn of a loop would compute anew and find the same is computed before the loop.
//
// Each such value takes a register all through the loop, so only as many move as leave the loop a modest number of
// them; comparisons stay, because flags are made where they are read. Source: Aho, Lam, Sethi, Ullman 2006, Compilers,
// section 9.5.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Precondition: cycles have one entry each. Returns whether anything moved.
bool hoist_invariants(IrFunction& function);

}  // namespace teslasim::compiler
