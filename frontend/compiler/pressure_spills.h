// SPDX-License-Identifier: Apache-2.0
// Which values leave their registers so that nowhere more are live than there are registers.
//
// Looks at the places where too many are live. The value goes that frees most of them for what it costs, again and
// again until the places are gone: one that lives long and is read seldom, or one that is made again cheaply. Colouring
// comes after it and only has to find numbers. Sources: Hack 2007, "Register allocation for programs in SSA form"
// (spilling before colouring); Bergner, Dahl, Engebretsen, O'Keefe 1997, "Spill code minimization via interference
// region spilling".
#pragma once

#include <vector>

#include "frontend/compiler/spill_rewriter.h"

namespace teslasim::compiler {

/// Empty where no more than `limit` general registers are live at once.
[[nodiscard]] std::vector<VirtualRegister> registers_over_limit(const MachineFunction& function,
                                                                const SpillRewriter& rewriter, unsigned limit);

}  // namespace teslasim::compiler
