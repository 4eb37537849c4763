// SPDX-License-Identifier: Apache-2.0
// Where threads that a branch parted meet again.
//
// Before a branch that parts threads, `joinat` pushes the place where all of its ways meet, its immediate
// post-dominator; an instruction with the join flag pops there. Every way from the push to the pop must pass exactly
// these two: a push for a branch inside of a loop that threads leave at different turns stands before the loop; an
// inner branch that meets at the place of an outer one pushes nothing; ways that did not push pass beside the pop.
// Where the graph has no such places, threads go on apart until they meet further out or end: that is right, and
// slower.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Precondition: cycles have one entry each, and nested loops headers of their own (`loop_shapes.h`).
/// Fills `joins` and `announces` of blocks; adds blocks on edges.
void announce_joins(IrFunction& function);

}  // namespace teslasim::compiler
