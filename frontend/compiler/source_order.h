// SPDX-License-Identifier: Apache-2.0
// The order of a block as its source has it, with the shortest waits filled.
//
// Stands for what NVIDIA's assembler of 2007 to 2010 did with a block, as far as its machine code and measurements show
// (decision 0098): words of shared memory are read right before what multiplies them, loads stay where the program has
// them; but one instruction stands between a result and its reader and two behind a load from device memory, where the
// source has any that may go first. The instructions of a 32-bit product follow each other.
#pragma once

#include <unordered_map>

#include "frontend/compiler/block_schedule.h"

namespace teslasim::compiler {

/// Registers that some copy of a function gives to others, each with the ones that it goes to.
using CopyTargets = std::unordered_multimap<VirtualRegister, VirtualRegister>;
[[nodiscard]] CopyTargets copy_targets(const MachineFunction& function);

/// What a loop carries to its next turn is made behind the last reader of what it carried into this one, so that both
/// have one register, if the dependences allow it; loads may come earlier. Routines, which are written in the order of
/// the chip, keep it.
[[nodiscard]] BlockOrder source_order(const MachineFunction& function, BlockIndex block, const Dependences& dependences,
                                      const CopyTargets& copies);

}  // namespace teslasim::compiler
