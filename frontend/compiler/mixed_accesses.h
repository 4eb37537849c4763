// SPDX-License-Identifier: Apache-2.0
// Loads and stores through a pointer that was chosen among several kinds of memory.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// LLVM makes one access of two: of `c ? local[i] : device[j]` a load from a chosen address. The chip has an
/// instruction for each kind of memory, so beside the pointer a number is chosen that says which, and the access
/// becomes a branch to one for each. A pointer of unknown origin among them counts as one into device memory. Left as
/// they are: atomic operations, and pointers of which no single argument of a sum is one.
void split_mixed_accesses(IrFunction& function);

}  // namespace teslasim::compiler
