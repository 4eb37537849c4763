// SPDX-License-Identifier: Apache-2.0
// Reads what a warp instruction has done from the state of its warp.
#pragma once

#include "sim/base/instruction_effects.h"
#include "sim/exec/warp_inst.h"
#include "sim/exec/warp_values.h"

namespace teslasim {

/// Of an instruction that has just been performed. Results of loads are awaited: `take_registers` reads them, when
/// they have been written. The accesses are not filled in.
[[nodiscard]] InstructionEffects effects_of(const WarpInst& record, const WarpValues& values);
/// The registers and flags that `instruction` writes, as they are.
void take_registers(const Instruction& instruction, const WarpValues& values, InstructionEffects& effects);

}  // namespace teslasim
