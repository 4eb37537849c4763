// SPDX-License-Identifier: Apache-2.0
// Instructions for memory, textures, barriers.
#pragma once

#include "frontend/compiler/selection_context.h"

namespace teslasim::compiler {

void select_memory(const SelectionContext& context, const IrNode& node);
void select_locked_atomic(const SelectionContext& context, const IrNode& node);
void select_system(const SelectionContext& context, const IrNode& node);

}  // namespace teslasim::compiler
