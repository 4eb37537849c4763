// SPDX-License-Identifier: Apache-2.0
// The record between function and timing: one dynamic warp instruction.
#pragma once

#include <array>
#include <cstdint>

#include "isa/instruction.h"
#include "memory/image/memory_access.h"
#include "sim/base/types.h"

namespace teslasim {

/// An access to shared or constant memory, with what is needed to count bank conflicts.
struct OnChipAccess {
  LaneMask lanes = 0;   ///< 0: no access
  bool uniform = true;  ///< all lanes use address[0]
  /// Known to be words one after the other over all 32 lanes; false says nothing.
  bool consecutive = false;
  std::uint8_t bytes = 4;  ///< per lane
  alignas(64) std::array<std::uint32_t, warp_size> address{};
};

/// Filled by WarpStream::issue. Reused by the SM for every instruction, so `issue` sets every member but the arrays.
struct WarpInst {
  const Instruction* instruction = nullptr;
  LaneMask active = 0;     ///< lanes running at this instruction, before its guard
  LaneMask executed = 0;   ///< lanes that passed the guard; 0 = dropped
  bool divergent = false;  ///< a branch split the warp
  bool finished = false;   ///< the warp has no running lane left after this instruction
  OnChipAccess shared;     ///< s[] operand, load or store
  OnChipAccess constant;   ///< c[] operand or load
  /// Set for global/local/texture accesses with at least one lane. Timing mode: owned by the pool of the stream, given
  /// back with WarpStream::release once the last transaction has completed. Functional mode: already performed.
  MemoryAccess* memory = nullptr;
};

}  // namespace teslasim
