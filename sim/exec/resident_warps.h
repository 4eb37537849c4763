// SPDX-License-Identifier: Apache-2.0
// The architectural state of the blocks and warps resident on one SM: registers, flags, control flow, shared and local
// memory. Private to sim/exec.
//
// Registers of a warp are rows of 32 words (one per lane) in one pool sized at construction; flags are bit planes;
// shared memory of a block is a run of bytes that begins with the launch header.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/semantics/lanes.h"
#include "sim/exec/execution_stream.h"
#include "sim/exec/kernel_error.h"
#include "sim/exec/operation.h"
#include "sim/exec/warp_control.h"

namespace teslasim {

/// What the units of the executor know of a launch; fixed while it runs.
struct ExecutionContext {
  ExecutionContext(const Launch& its_launch, const ExecutionStreamOptions& its_options);

  const Launch& launch;
  ExecutionStreamOptions options;
  OperationTable table;
  unsigned registers = 0;          ///< per thread
  std::uint32_t shared_limit = 0;  ///< bytes per block, header and parameters included
  std::uint32_t local_words = 0;   ///< per thread
};

struct ResidentBlock {
  std::uint64_t index = 0;
  std::uint8_t* shared = nullptr;
  std::uint8_t* locked = nullptr;  ///< one byte per word; null when the kernel uses no locks
  unsigned first_warp = 0;
  unsigned warps = 0;
};

/// What every instruction needs lies in the first line of the host's cache.
struct alignas(64) ResidentWarp {
  static constexpr unsigned flag_registers = 4;

  std::uint32_t* rows = nullptr;
  WarpControl control;
  std::array<FlagPlanes, flag_registers> flags{};
  ResidentBlock* block = nullptr;
  std::byte* local = nullptr;
  unsigned slot = 0;
  unsigned index_in_block = 0;
};

[[nodiscard]] inline FaultPlace fault_place(const ExecutionContext& context, const ResidentWarp& warp,
                                            const Operation& operation, LaneMask lanes) {
  return {&context.launch, operation.instruction, context.options.sm, warp.block->index, warp.index_in_block, lanes};
}

/// The row of a register; zeros beyond the allocation.
[[nodiscard]] inline const std::uint32_t* register_row(const ExecutionContext& context, const ResidentWarp& warp,
                                                       unsigned index) {
  return index < context.registers ? warp.rows + index * warp_size : context.table.fixed_rows.front().data();
}
/// A store from a register outside the allocation is dropped.
[[nodiscard]] inline bool stores_nothing(const ExecutionContext& context, const Operation& operation) {
  const Operand& data = operation.instruction->source[0];
  return data.kind == Operand::Kind::gpr && data.index >= context.registers;
}

/// The slots for blocks and warps, and the memory behind them. What starts as 0 is said in execution_stream.h.
class ResidentWarps {
 public:
  explicit ResidentWarps(const ExecutionContext& context);

  [[nodiscard]] ResidentWarp& operator[](WarpSlot warp) { return warps_[warp]; }
  [[nodiscard]] const ResidentWarp& operator[](WarpSlot warp) const { return warps_[warp]; }
  void start_block(unsigned block_slot, BlockIndex block, WarpSlot first_warp);
  void finish_block(unsigned block_slot);

 private:
  void start_warp(ResidentWarp& warp, LaneMask launched, unsigned first_thread);
  void write_header(ResidentBlock& block);

  const ExecutionContext& context_;
  std::vector<LaneRow> register_pool_;
  std::vector<LaneRow> shared_pool_;
  std::vector<std::uint8_t> lock_pool_;
  std::unique_ptr<std::uint32_t[]> local_pool_;
  std::vector<StackEntry> stack_pool_;
  std::vector<ResidentWarp> warps_;
  std::vector<ResidentBlock> blocks_;
};

}  // namespace teslasim
