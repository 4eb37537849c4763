// SPDX-License-Identifier: Apache-2.0
// Shifts and comparisons of 64 bits as operations on words. Sums stay: the chip adds with carry.
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

void lower_wide(IrFunction& function);

}  // namespace teslasim::compiler
