// SPDX-License-Identifier: Apache-2.0
// A resident warp of an SM as somebody sees it who looks on from outside, between two cycles.
#pragma once

#include "isa/instruction.h"
#include "sim/base/slot_reason.h"
#include "sim/base/types.h"

namespace teslasim {

/// Units: SM cycles.
struct WarpView {
  BlockIndex block = 0;
  unsigned block_slot = 0;
  unsigned number = 0;                ///< in its block
  const Instruction* next = nullptr;  ///< what it issues next; null: it has finished
  LaneMask active = 0;                ///< lanes that run there, before the guard
  SlotReason state = SlotReason::finished;
  SmCycle since = 0;   ///< when it entered that state, perhaps a cycle to come
  WarpSlot slot = 0;   ///< of the SM
  bool begun = false;  ///< `next` has issued for the first time: what is left are further passes
};

}  // namespace teslasim
