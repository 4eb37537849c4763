// SPDX-License-Identifier: Apache-2.0
// The intermediate form to instructions of the chip.
#pragma once

#include "frontend/compiler/compile_options.h"
#include "frontend/compiler/ir.h"
#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// Precondition: products, wide operations and addresses are lowered, critical edges to blocks with phis are split
/// where `split_critical_edges` says, joins are announced.
[[nodiscard]] MachineFunction select_instructions(const IrFunction& function, const CompileOptions& options);

/// The code of a routine that the kernel calls, in its block. Precondition: the function is one block.
void select_routine(const IrFunction& function, const MachineRoutine& routine, MachineFunction& kernel,
                    const CompileOptions& options);

}  // namespace teslasim::compiler
