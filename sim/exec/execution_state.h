// SPDX-License-Identifier: Apache-2.0
// The inside of ExecutionStream: state of the resident warps and blocks, and the executor. Private to sim/exec.
//
// Registers of a warp are rows of 32 words (one per lane) in one pool sized at construction; flags are bit planes;
// shared memory of a block is a run of bytes. Issuing allocates nothing and makes one indirect call, to the semantics.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isa/semantics/lanes.h"
#include "memory/image/device_memory.h"
#include "memory/image/memory_access.h"
#include "sim/exec/execution_stream.h"
#include "sim/exec/kernel_error.h"
#include "sim/exec/operation.h"
#include "sim/exec/warp_control.h"

namespace teslasim {

class ExecutionStream::State {
 public:
  State(const Launch& launch, const ExecutionStreamOptions& options);

  void start_block(unsigned block_slot, BlockIndex block, unsigned first_warp);
  void finish_block(unsigned block_slot);
  const Instruction* next(unsigned warp_slot);
  void issue(unsigned warp_slot, std::uint64_t clock, WarpInst& out);
  void complete(unsigned warp_slot, MemoryAccess& access);
  void release(MemoryAccess& access);

 private:
  static constexpr unsigned flag_registers = 4;

  struct Block {
    std::uint64_t index = 0;
    std::uint8_t* shared = nullptr;
    std::uint8_t* locked = nullptr;  ///< one byte per word; null when the kernel uses no locks
    unsigned first_warp = 0;
    unsigned warps = 0;
  };
  /// What every instruction needs lies in the first line of the host's cache.
  struct alignas(64) Warp {
    std::uint32_t* rows = nullptr;
    WarpControl control;
    std::array<FlagPlanes, flag_registers> flags{};
    Block* block = nullptr;
    std::byte* local = nullptr;
    unsigned slot = 0;
    unsigned index_in_block = 0;
  };
  /// What the checks need to know about 32 addresses.
  struct AddressSummary {
    std::int32_t highest = 0;
    std::uint32_t bits = 0;    ///< all of them or-ed together
    bool consecutive = false;  ///< words one after the other
  };
  struct Space {
    const char* name;
    std::uint64_t bytes;
  };

  // execution_state.cpp: construction, blocks, the instruction loop
  void start_warp(Warp& warp, LaneMask launched, unsigned first_thread);
  void write_header(Block& block);
  void control(Warp& warp, const Operation& operation, WarpInst& out);
  void leave(Warp& warp, const Operation& operation, LaneMask executed);
  void check(Warp& warp, const Operation& operation, ControlFault fault);
  void check_barrier(const Warp& warp, const Operation& operation) const;
  void note_partial_barrier(const Warp& warp, const Operation& operation) const;
  [[nodiscard]] LaneMask launched(const Warp& warp) const;
  [[noreturn]] void refuse(const Warp& warp, const Operation& operation, LaneMask lanes) const;

  // operands.cpp: lane-wise operations and on-chip memory
  [[nodiscard]] LaneContext context_of(Warp& warp, const Operation& operation, LaneMask executed);
  void data(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  void data_gathered(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  [[nodiscard]] const std::uint32_t* gather(Warp& warp, const Operation& operation, unsigned position,
                                            LaneMask executed, WarpInst& out);
  void finish_destination(Warp& warp, const Operation& operation, LaneMask lanes);
  void gather_shared(Warp& warp, const Operation& operation, const Operand& operand, LaneMask executed,
                     OnChipAccess& access, std::uint32_t* row);
  void gather_constant(Warp& warp, const Operation& operation, const Operand& operand, LaneMask executed,
                       OnChipAccess& access, std::uint32_t* row);
  void gather_special(const Warp& warp, unsigned index, std::uint32_t* row) const;
  void store_shared(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  void lock_shared(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  /// Addresses of a memory operand relative to an address register; lanes that do not execute copy one that does.
  AddressSummary fill_addresses(Warp& warp, const Operand& operand, LaneMask executed, OnChipAccess& access);
  void check_on_chip(const Warp& warp, const Operation& operation, const OnChipAccess& access,
                     const AddressSummary& summary, const Space& space);
  void post_increment(Warp& warp, const Operand& operand, LaneMask executed);
  [[nodiscard]] bool stores_nothing(const Operation& operation) const;

  // memory_operations.cpp: global and local memory
  void global(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  void local(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  void take_data(Warp& warp, const Operand& operand, unsigned words, unsigned first, MemoryAccess& access) const;
  void set_destination(const Operation& operation, MemoryAccess& access) const;
  [[nodiscard]] std::uint32_t* target_rows(const Warp& warp, const MemoryAccess& access) const;
  void check_global(const Warp& warp, const Operation& operation, const MemoryAccess& access);
  [[noreturn]] void fail_global(const Warp& warp, const Operation& operation, const MemoryAccess& access);
  void perform_local(const Warp& warp, MemoryAccess& access) const;
  void finish_access(Warp& warp, MemoryAccess& access, WarpInst& out);
  [[nodiscard]] MemoryAccess& acquire();
  [[nodiscard]] const std::uint32_t* register_row(const Warp& warp, unsigned index) const;

  // texture_operations.cpp
  void texture(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  void complete_texture(Warp& warp, MemoryAccess& access);
  [[nodiscard]] const Texture& bound_texture(const Warp& warp, const Operation& operation, unsigned slot,
                                             LaneMask lanes) const;
  [[nodiscard]] TextureAccess& acquire_texture();

  [[nodiscard]] FaultPlace place(const Warp& warp, const Operation& operation, LaneMask lanes) const;

  const Launch& launch_;
  ExecutionStreamOptions options_;
  OperationTable table_;
  unsigned registers_;
  std::uint32_t shared_limit_;
  std::uint32_t local_words_;  ///< per thread

  std::vector<LaneRow> register_pool_;
  std::vector<LaneRow> shared_pool_;
  std::vector<std::uint8_t> lock_pool_;
  std::unique_ptr<std::uint32_t[]> local_pool_;
  std::vector<StackEntry> stack_pool_;
  std::vector<Warp> warps_;
  std::vector<Block> blocks_;
  std::vector<std::unique_ptr<MemoryAccess>> accesses_;
  std::vector<MemoryAccess*> free_accesses_;
  std::vector<std::unique_ptr<TextureAccess>> textures_;
  std::vector<TextureAccess*> free_textures_;

  std::uint64_t clock_ = 0;
  const Buffer* last_buffer_ = nullptr;  ///< where the last global access went
  std::array<LaneRow, 6> gathered_{};    ///< two rows per source
  std::array<LaneRow, 2> result_{};      ///< destination that is not a plain row
  std::array<LaneRow, 2> sink_{};        ///< discarded results
};

}  // namespace teslasim
