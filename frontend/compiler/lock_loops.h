// SPDX-License-Identifier: Apache-2.0
// Loops in which threads of a warp wait for a lock that another of them may hold.
//
// The thread that got the lock must give it back while the others wait, so it goes first, and meets them only behind
// the place where it does. In another order the warp would wait for itself: no chip of these breaks that up. LLVM makes
// such a loop also of `while (!done) if (atomicCAS(lock, 0, 1) == 0) { ...; atomicExch(lock, 0); done = true; }`.
#pragma once

#include <vector>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// Threads that leave the loop with this header for `from` meet the others at `to`; no_block: they end first.
struct LateMeeting {
  BlockIndex header = no_block, from = no_block, to = no_block;
};

/// Divides blocks behind the place where a lock is given back, and says in ends who goes first.
[[nodiscard]] std::vector<LateMeeting> find_lock_loops(IrFunction& function);

}  // namespace teslasim::compiler
