// SPDX-License-Identifier: Apache-2.0
// Numbered instructions in their order: blocks laid out, branches resolved, short forms in pairs.
#pragma once

#include "frontend/compiler/machine.h"
#include "frontend/compiler/register_allocator.h"
#include "isa/program.h"

namespace teslasim::compiler {

struct EmitOptions {
  bool short_forms = true;  ///< 4 bytes where the operands fit
  unsigned sm = 13;         ///< the level of the code: each instruction must exist in it
};

/// Fills code, labels, registers and barriers of `kernel`.
void emit(const MachineFunction& function, const RegisterAllocation& allocation, const EmitOptions& options,
          Kernel& kernel);

}  // namespace teslasim::compiler
