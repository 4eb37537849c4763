// SPDX-License-Identifier: Apache-2.0
// Memory as the chip addresses it: every access has a space, and device memory has no offsets in its instructions.
#pragma once

#include <vector>

#include "frontend/compiler/ir.h"
#include "frontend/ptx/ptx_lexer.h"

namespace teslasim::compiler {

/// A generic address is followed to where it came from; one that was loaded or passed is taken as one of device memory,
/// as nvcc did, with a warning. One that may point into several spaces is a mistake. An atomic
/// operation found to be on shared memory becomes one around a lock, which `sm` must have (12).
void lower_addresses(IrFunction& function, unsigned sm, std::vector<ptx::PtxMistake>& mistakes,
                     std::vector<ptx::PtxMistake>& warnings);

}  // namespace teslasim::compiler
