// SPDX-License-Identifier: Apache-2.0
// Global and local memory: addresses and data of a warp's access, checks at issue. Private to sim/exec.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/exec/access_pool.h"
#include "sim/exec/on_chip_memory.h"

namespace teslasim {

class MemoryOperations {
 public:
  MemoryOperations(const ExecutionContext& context, const OnChipMemory& on_chip, AccessPool& pool)
      : context_(context), on_chip_(on_chip), pool_(pool), last_buffers_(context.table.operations.size()) {}

  void global(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out);
  /// Values are exchanged at issue: no other thread can tell.
  void local(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out);

 private:
  void take_data(const ResidentWarp& warp, const Operand& operand, unsigned words, unsigned first,
                 MemoryAccess& access) const;
  [[nodiscard]] std::uint32_t* target_rows(const ResidentWarp& warp, const MemoryAccess& access) const;
  [[nodiscard]] bool rows_in_last_buffer(std::size_t instruction, const MemoryAccess& access) const;
  void check_global(const ResidentWarp& warp, const Operation& operation, const MemoryAccess& access);
  [[noreturn]] void fail_global(const ResidentWarp& warp, const Operation& operation, const MemoryAccess& access);
  void interleave(const ResidentWarp& warp, MemoryAccess& access) const;

  const ExecutionContext& context_;
  const OnChipMemory& on_chip_;
  AccessPool& pool_;
  std::vector<const Buffer*> last_buffers_;  ///< per instruction: where its last access went
};

}  // namespace teslasim
