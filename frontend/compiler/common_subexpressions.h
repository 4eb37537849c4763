// SPDX-License-Identifier: Apache-2.0
// The same computed twice is computed once, where the first dominates the second.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

bool eliminate_common_subexpressions(IrFunction& function);

}  // namespace teslasim::compiler
