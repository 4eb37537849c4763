// SPDX-License-Identifier: Apache-2.0
// A value that is computed for all threads and then moved under a guard is computed under the guard instead, straight
// into its place.
#pragma once

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// Before registers are allocated.
void compute_under_guards(MachineFunction& function);

/// What only instructions under a guard read is computed under it, if its flags are there: warps in which no thread
/// needs it drop the instruction. NVIDIA's compiler put all of a short `if` under the guard (FlexGrip's reduction).
void guard_sources(MachineFunction& function);

}  // namespace teslasim::compiler
