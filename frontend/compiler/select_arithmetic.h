// SPDX-License-Identifier: Apache-2.0
// Instructions for what only computes.
#pragma once

#include "frontend/compiler/selection_context.h"

namespace teslasim::compiler {

void select_arithmetic(const SelectionContext& context, const IrNode& node);
/// f64 and conversions.
void select_wide_arithmetic(const SelectionContext& context, const IrNode& node);

}  // namespace teslasim::compiler
