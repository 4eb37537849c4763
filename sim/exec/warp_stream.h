// SPDX-License-Identifier: Apache-2.0
// The interface between function and timing: execution and trace replay are two implementations.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/types.h"
#include "sim/exec/warp_control.h"
#include "sim/exec/warp_inst.h"
#include "sim/exec/warp_values.h"

namespace teslasim {

/// The instructions of the warps resident on one SM, in program order per warp. Knows nothing of cycles.
class WarpStream {
 public:
  virtual ~WarpStream() = default;

  /// Makes block `block` (linear index, x fastest) resident: its warps take the slots first_warp .. first_warp+n-1.
  virtual void start_block(unsigned block_slot, BlockIndex block, WarpSlot first_warp) = 0;
  /// Forgets a block whose warps have all finished.
  virtual void finish_block(unsigned block_slot) = 0;

  /// The instruction that this warp would issue now, or nullptr when the warp has finished. A join flag may make the
  /// next instruction differ from the one after the last: it is resolved here, so `next` may change warp state.
  virtual const Instruction* next(WarpSlot warp) = 0;
  /// Whether the instruction that the last `next(warp)` returned passes its guard in some lane. The answer is final
  /// once the flags that it reads have been written.
  [[nodiscard]] virtual bool passes_guard(WarpSlot warp) const = 0;
  /// The lanes that run at that instruction, before its guard: for those who look on, not for the pipeline.
  [[nodiscard]] virtual LaneMask active(WarpSlot warp) const = 0;
  /// Issues the instruction that the last `next(warp)` returned: performs it, or takes the recorded outcome.
  /// `clock` is the value that %clock reads (SM cycles).
  virtual void issue(WarpSlot warp, std::uint64_t clock, WarpInst& out) = 0;
  /// The last response of a load arrived: write the registers.
  virtual void complete(WarpSlot warp, MemoryAccess& access) = 0;
  /// Gives the record back to the pool.
  virtual void release(MemoryAccess& access) = 0;
  /// What the registers of this warp and the shared memory of its block hold now.
  [[nodiscard]] virtual WarpValues values(WarpSlot /*warp*/) const { return {}; }
  /// Its divergence stack, the top last; valid until the stream is told something. Empty where it is not known, too.
  [[nodiscard]] virtual std::span<const StackEntry> divergence(WarpSlot /*warp*/) const { return {}; }
  /// Where it stands behind what it issued, joins not done until `next`; finished where that is not known. The copy
  /// shares the stack: who looks on may take entries from it, and put none there.
  [[nodiscard]] virtual WarpControl control(WarpSlot /*warp*/) const { return {}; }
};

}  // namespace teslasim
