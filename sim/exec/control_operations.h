// SPDX-License-Identifier: Apache-2.0
// Instructions that decide what a warp does next: branches, calls, joins, barriers, traps, exit flags; and the words
// for what goes wrong there. Private to sim/exec. WarpControl holds the state; the
// caller, which runs the warps, counts arrivals at barriers.
#pragma once

#include "sim/exec/resident_warps.h"
#include "sim/exec/warp_inst.h"

namespace teslasim {

class ControlOperations {
 public:
  explicit ControlOperations(const ExecutionContext& context) : context_(context) {}

  /// The instruction that the warp stands before, joins done; nullptr when the warp has finished.
  [[nodiscard]] const Instruction* next(ResidentWarp& warp) const {
    const std::vector<Operation>& operations = context_.table.operations;
    const std::uint32_t index = warp.control.index();
    if (warp.control.finished() || index >= operations.size() || operations[index].join) [[unlikely]]
      return next_after_joins(warp);
    return operations[index].instruction;
  }
  void execute(ResidentWarp& warp, const Operation& operation, WarpInst& out) const;
  /// What follows any instruction without control transfer: the exit flag, or the next instruction.
  void leave(ResidentWarp& warp, const Operation& operation, LaneMask executed) const {
    if (!operation.exit) [[likely]] {
      warp.control.advance();
      return;
    }
    check(warp, operation, warp.control.exit(executed));
  }

 private:
  [[nodiscard]] const Instruction* next_after_joins(ResidentWarp& warp) const;
  void check(const ResidentWarp& warp, const Operation& operation, ControlFault fault) const {
    if (fault != ControlFault::none) [[unlikely]]
      fail(warp, operation, fault);
  }
  [[noreturn]] void fail(const ResidentWarp& warp, const Operation& operation, ControlFault fault) const;
  void check_barrier(const ResidentWarp& warp, const Operation& operation) const;
  void note_partial_barrier(const ResidentWarp& warp, const Operation& operation) const;
  [[nodiscard]] LaneMask launched(const ResidentWarp& warp) const;

  const ExecutionContext& context_;
};

}  // namespace teslasim
