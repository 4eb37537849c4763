// SPDX-License-Identifier: Apache-2.0
// Brings instructions that have a form of four bytes together in pairs, since alone they take eight.
//
// Works on code whose registers have numbers: before, nobody knows which forms an instruction has. An instruction moves
// up to one that lacks a neighbour, or the lonely one waits, as long as nobody waits longer for results than before.
#pragma once

#include "frontend/compiler/machine.h"
#include "frontend/compiler/register_allocator.h"

namespace teslasim::compiler {

/// Takes moves from registers to themselves out, too.
void pair_short_forms(MachineFunction& function, const RegisterAllocation& allocation);

}  // namespace teslasim::compiler
