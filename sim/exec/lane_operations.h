// SPDX-License-Identifier: Apache-2.0
// Lane-wise operations: operands from registers, shared and constant memory, results to registers and shared memory.
// Private to sim/exec. Registers are used in place where a plan (operation.h) says so; the rest is gathered first.
#pragma once

#include <array>

#include "sim/exec/on_chip_memory.h"

namespace teslasim {

class LaneOperations {
 public:
  LaneOperations(const ExecutionContext& context, const OnChipMemory& on_chip) : context_(context), on_chip_(on_chip) {}

  /// For reads of %clock, until told again.
  void set_clock(std::uint64_t clock) { clock_ = clock; }
  /// All operands are whole rows.
  void data(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  void data_gathered(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  void store_shared(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  /// Reads a word and tries to lock it: S when the lane got the lock, Z when not. Lanes try in order.
  void lock_shared(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out);

 private:
  [[nodiscard]] LaneContext context_of(ResidentWarp& warp, const Operation& operation, LaneMask executed);
  [[nodiscard]] const std::uint32_t* gather(ResidentWarp& warp, const Operation& operation, unsigned position,
                                            LaneMask executed, WarpInst& out);
  void gather_special(const ResidentWarp& warp, unsigned index, std::uint32_t* row) const;
  void finish_destination(ResidentWarp& warp, const Operation& operation, LaneMask lanes);

  const ExecutionContext& context_;
  const OnChipMemory& on_chip_;
  std::uint64_t clock_ = 0;
  std::array<LaneRow, 6> gathered_{};  ///< two rows per source
  std::array<LaneRow, 2> result_{};    ///< destination that is not a plain row
  std::array<LaneRow, 2> sink_{};      ///< discarded results
};

}  // namespace teslasim
