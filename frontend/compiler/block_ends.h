// SPDX-License-Identifier: Apache-2.0
// Which instruction stands first and last in a block.
//
// The first one carries the join and the last one ends the threads, when they are long instructions without guard;
// otherwise an instruction of its own must.
#pragma once

#include "frontend/compiler/block_schedule.h"

namespace teslasim::compiler {

/// May the instruction carry the join of its block? Control instructions do not look at the flag.
[[nodiscard]] bool can_join(const Instruction& instruction);
/// May it end its threads?
[[nodiscard]] bool can_exit(const Instruction& instruction);

/// Do threads end behind the block?
[[nodiscard]] bool ends_threads(const MachineFunction& function, BlockIndex block);

/// The order with another first or last instruction where the block needs one and dependences allow it.
[[nodiscard]] BlockOrder with_good_ends(const MachineFunction& function, BlockIndex block,
                                        const Dependences& dependences, BlockOrder order);

}  // namespace teslasim::compiler
