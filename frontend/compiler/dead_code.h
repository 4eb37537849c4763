// SPDX-License-Identifier: Apache-2.0
// What nobody needs is left out: marked from what has effects, so that values that only feed each other go too, such as
// the upper words of 64-bit addresses in loops. Operations on two words of which one is needed become operations on
// one.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

void eliminate_dead_code(IrFunction& function);

}  // namespace teslasim::compiler
