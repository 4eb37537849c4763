// SPDX-License-Identifier: Apache-2.0
// Loops as the planning of joins needs them: each with a header of its own.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// An inner loop that shares its header with an outer one gets its own: threads that leave the inner at different turns
/// then meet in the outer loop, before its next turn.
void separate_nested_loops(IrFunction& function);

}  // namespace teslasim::compiler
