// SPDX-License-Identifier: Apache-2.0
// Identities, constants and known bits: a value that another one or a constant can stand for is replaced by it.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Returns whether anything changed.
bool simplify(IrFunction& function);

}  // namespace teslasim::compiler
