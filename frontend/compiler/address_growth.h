// SPDX-License-Identifier: Apache-2.0
// Addresses of s[], l[] and c[] that grow from turn to turn of a loop grow in their address registers.
//
// A pointer in a general register is added to, and moved to an address register, in each turn. Where nobody but
// accesses reads it, an address register is set before the loop and added to instead: by the access itself, if there is
// but one in each turn and its form reaches that far (`s[$ofs1+=4]`), or else by an instruction. NVIDIA's compiler did
// so in 2007: tests 35 and 36 of decuda's corpus (van der Laan 2008).
#pragma once

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// Address registers that loops leave to pointers; what they end by is better no such pointer.
inline constexpr unsigned growing_addresses = 4;

/// Before registers are allocated: each address register still has one definition. `far_loads`: there is an instruction
/// that loads from any address in s[] (sm_11); it also moves addresses on by any constant.
void grow_addresses(MachineFunction& function, bool far_loads);

}  // namespace teslasim::compiler
