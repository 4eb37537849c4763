// SPDX-License-Identifier: Apache-2.0
// Loops as the planning of joins needs them: each with one entry, and with a header of its own.
//
// Sources: Aho, Lam, Sethi, Ullman 2006, Compilers, section 9.6 (which graphs are reducible); Tarjan 1972, "Depth-first
// search and linear graph algorithms" (strongly connected components).
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// A cycle that is entered in more places than one gets a block that all entries pass, which branches to where each of
/// them leads: threads that came different ways go round together.
void give_cycles_one_entry(IrFunction& function);

/// An inner loop that shares its header with an outer one gets its own: threads that leave the inner at different turns
/// then meet in the outer loop, before its next turn.
void separate_nested_loops(IrFunction& function);

}  // namespace teslasim::compiler
