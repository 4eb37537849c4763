// SPDX-License-Identifier: Apache-2.0
// The order of a block as its source has it, with the shortest waits for device memory filled.
//
// Stands for what NVIDIA's assembler of 2007 to 2010 did with a block, as far as its machine code shows (decision
// 0098): words of shared memory are read right before what multiplies them, quotients stand one behind the other, loads
// stay where the program has them; but a store that would read what the load before it brings lets the next load go
// first. Not done: the interleaving of products of 32 bits, which that machine code has in places.
#pragma once

#include <unordered_map>

#include "frontend/compiler/block_schedule.h"

namespace teslasim::compiler {

/// Registers that some copy of a function gives to others, each with the ones that it goes to.
using CopyTargets = std::unordered_multimap<VirtualRegister, VirtualRegister>;
[[nodiscard]] CopyTargets copy_targets(const MachineFunction& function);

/// An instruction that reads what one of the two instructions before it loads lets the next one go first. What a loop
/// carries to its next turn is made behind the last reader of what it carried into this one, so that both have one
/// register, if the dependences allow it; loads may come earlier.
[[nodiscard]] BlockOrder source_order(const MachineFunction& function, BlockIndex block, const Dependences& dependences,
                                      const CopyTargets& copies);

}  // namespace teslasim::compiler
