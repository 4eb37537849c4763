// SPDX-License-Identifier: Apache-2.0
// Products of 32 bits from the multipliers of the chip, 16 x 16 and 24 x 24 bits: four instructions, as NVIDIA's
// compiler had them, or fewer where the types of both factors or a constant allow it (decision 0096).
#pragma once

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

void lower_products(IrFunction& function);

/// A product that only a sum reads, in no deeper loop, becomes part of it: mad24, and mad for f32 where `contract`.
void fuse_products(IrFunction& function, bool contract);

}  // namespace teslasim::compiler
