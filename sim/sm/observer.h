// SPDX-License-Identifier: Apache-2.0
// What an SM tells somebody who watches it: where its slots and its warps' cycles went, and what its instructions did.
#pragma once

#include <cstdint>

#include "sim/base/slot_reason.h"
#include "sim/base/types.h"

namespace teslasim {

struct WarpInst;

/// Hooks of one SM. The SM holds a pointer that is null when nobody listens: then a hook costs one comparison. Nothing
/// that an observer does can change the simulation. Spans are [begin, end) in SM cycles; the spans passed to
/// `slots` are contiguous and cover the launch. `no_instruction` means that there is no instruction index.
class SmObserver {
 public:
  static constexpr std::uint32_t no_instruction = ~std::uint32_t{0};
  virtual ~SmObserver() = default;

  /// The issue slots of these cycles went to `reason` (view A).
  virtual void slots(SlotReason reason, SmCycle begin, SmCycle end) = 0;
  /// A warp was in a state (view B); `producer` ended it. Called when the warp next issues or leaves. The
  /// time of a ready warp whose unit was busy in between is reported as consecutive parts in no particular order.
  virtual void warp_state(WarpSlot warp, SlotReason state, SmCycle begin, SmCycle end, std::uint32_t producer) = 0;

  virtual void block_started(unsigned slot, BlockIndex block, WarpSlot first_warp, unsigned warps, SmCycle now) = 0;
  virtual void block_finished(unsigned slot, SmCycle now) = 0;
  /// A barrier of the block in this slot has opened; its warps go on in the next cycle.
  virtual void barrier_opened(unsigned slot, SmCycle now) = 0;
  /// The warp's next instruction is taken from the instruction cache in cycle `when`, which may lie ahead.
  virtual void fetched(WarpSlot warp, SmCycle when) = 0;
  /// First pass of an instruction; `record` is valid during the call only.
  virtual void issued(WarpSlot warp, const WarpInst& record, SmCycle now) = 0;
  /// Transactions and cycles of the memory path of the access that has just issued.
  virtual void sent(WarpSlot warp, unsigned transactions, SmCycle now) = 0;
  /// A further pass of the warp's instruction.
  virtual void replayed(WarpSlot warp, SmCycle now) = 0;
  /// What the warp's instruction takes of a unit: 0 MAD, 1 SFU, 2 DP, 3 memory path.
  struct Occupation {
    unsigned unit = 0;
    std::uint32_t instruction = 0;
    SmCycle begin = 0, end = 0;
    SmCycle collected = 0;  ///< all its operands have been read before this cycle; 0: it reads none
  };
  virtual void occupied(WarpSlot warp, const Occupation& occupation) = 0;
  /// Registers or flags of an instruction have been written.
  virtual void written(WarpSlot warp, std::uint32_t instruction, SmCycle now) = 0;
};

}  // namespace teslasim
