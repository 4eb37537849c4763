// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/control_operations.h"

#include <string>
#include <utility>

#include "sim/exec/barrier.h"

namespace teslasim {

void ControlOperations::fail(const ResidentWarp& warp, const Operation& operation, ControlFault fault) const {
  const FaultPlace where = fault_place(context_, warp, operation, warp.control.active());
  if (fault == ControlFault::bad_address) {
    Diagnostic error = kernel_diagnostic(where, "KERNEL-PC", "jump to an address without an instruction", "");
    error.help = "branch targets must be the address of an instruction of the kernel";
    throw_kernel_error(std::move(error));
  }
  if (fault == ControlFault::overflow) {
    const std::string detail = "all " + std::to_string(context_.options.divergence_stack) + " entries in use";
    Diagnostic error = kernel_diagnostic(where, "KERNEL-STACK", "divergence stack overflow", detail);
    error.help = "a join, break or call in a loop pushes an entry per trip; or raise sm.divergence_stack";
    throw_kernel_error(std::move(error));
  }
  const bool empty = fault == ControlFault::underflow;
  Diagnostic error =
      kernel_diagnostic(where, "KERNEL-STACK",
                        empty ? "divergence stack is empty" : "divergence stack holds an entry of another kind", "");
  error.help = "each .join needs its 'join.label' before, each break its 'breakaddr', in the reverse order";
  throw_kernel_error(std::move(error));
}

const Instruction* ControlOperations::next_after_joins(ResidentWarp& warp) const {
  while (!warp.control.finished()) {
    const std::uint32_t index = warp.control.index();
    if (index >= context_.table.operations.size()) [[unlikely]] {
      const Operation& last = context_.table.operations.back();
      Diagnostic error = kernel_diagnostic(fault_place(context_, warp, last, warp.control.active()), "KERNEL-PC",
                                           "the kernel runs on past its last instruction", "");
      error.help = "end the kernel with 'return' or with the exit flag (.end) on its last instruction";
      throw_kernel_error(std::move(error));
    }
    const Operation& operation = context_.table.operations[index];
    if (!operation.join || !warp.control.join_pending()) return operation.instruction;
    check(warp, operation, warp.control.join());
  }
  return nullptr;
}

/// A barrier for more threads than the block has can never open.
void ControlOperations::check_barrier(const ResidentWarp& warp, const Operation& operation) const {
  const unsigned threads = operation.instruction->barrier().threads;
  const unsigned warps = warp.block->warps;
  if (threads == BlockBarriers::whole_block || (threads + warp_size - 1) / warp_size <= warps) return;
  Diagnostic error = kernel_diagnostic(
      fault_place(context_, warp, operation, 0), "KERNEL-BARRIER", "barrier for more threads than the block has",
      std::to_string(threads) + " threads wanted, the block has " + std::to_string(warps) + " warps");
  throw_kernel_error(std::move(error));
}

LaneMask ControlOperations::launched(const ResidentWarp& warp) const {
  const unsigned threads = context_.launch.threads_per_block() - warp.index_in_block * warp_size;
  return threads >= warp_size ? ~LaneMask{0} : (LaneMask{1} << threads) - 1;
}

/// The barrier counts warps: lanes that have not ended and are not here will pass it without having reached it.
void ControlOperations::note_partial_barrier(const ResidentWarp& warp, const Operation& operation) const {
  if (context_.options.partial_barriers == nullptr) return;
  const LaneMask elsewhere = launched(warp) & ~warp.control.exited() & ~warp.control.active();
  if (elsewhere == 0 || context_.options.partial_barriers->count++ != 0) return;
  Diagnostic& first = context_.options.partial_barriers->first.emplace(
      kernel_diagnostic(fault_place(context_, warp, operation, warp.control.active()), "KERNEL-BARRIER-DIVERGENT",
                        "a barrier is executed by a part of a warp", describe_lanes(elsewhere) + " not there"));
  first.severity = Diagnostic::Severity::warning;
  first.help =
      "CUDA leaves this undefined; the hardware counts warps, so the barrier does not wait for those lanes: "
      "move it to where all threads of the block come";
}

void ControlOperations::execute(ResidentWarp& warp, const Operation& operation, WarpInst& out) const {
  const Instruction& instruction = *operation.instruction;
  const LaneMask executed = out.executed;
  switch (instruction.opcode) {
    case Opcode::bra:
      out.divergent = executed != 0 && executed != out.active;
      return check(warp, operation, warp.control.branch(executed, instruction.branch().target_index));
    case Opcode::call:
      return check(warp, operation,
                   instruction.branch().limited ? warp.control.limited_call(instruction.branch().target_index)
                                                : warp.control.call(instruction.branch().target_index));
    case Opcode::ret:
      return check(warp, operation, warp.control.leave_function(executed));
    case Opcode::breakaddr:
      return check(warp, operation, warp.control.push_break(instruction.branch().target_index));
    case Opcode::brk:
      return check(warp, operation, warp.control.leave_loop(executed));
    case Opcode::joinat:
      return check(warp, operation, warp.control.push_join(instruction.branch().target_index));
    case Opcode::quadon:
      return check(warp, operation, warp.control.enable_quads());
    case Opcode::quadpop:
      return check(warp, operation, warp.control.restore_quads());
    case Opcode::trap:
    case Opcode::brkpt:
      if (executed != 0) {
        throw_kernel_error(kernel_diagnostic(
            fault_place(context_, warp, operation, executed), "KERNEL-TRAP",
            instruction.opcode == Opcode::trap ? "the kernel executed a trap" : "the kernel reached a break point",
            ""));
      }
      break;
    case Opcode::bar:  // the caller counts arrivals
      check_barrier(warp, operation);
      note_partial_barrier(warp, operation);
      break;
    default:
      break;  // nop, pmevent
  }
  leave(warp, operation, executed);
}

}  // namespace teslasim
