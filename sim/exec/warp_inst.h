// SPDX-License-Identifier: Apache-2.0
// The record between function and timing: one dynamic warp instruction.
#pragma once

#include <array>
#include <cstdint>

#include "isa/instruction.h"
#include "memory/image/memory_access.h"
#include "sim/base/types.h"

namespace teslasim {

/// What the addresses of a half-warp look like; `other` says nothing.
enum class LaneShape : std::uint8_t {
  other,
  one_address,
  consecutive,  ///< words one after the other
};

/// An access to shared or constant memory, with what is needed to count bank conflicts.
struct OnChipAccess {
  LaneMask lanes = 0;   ///< 0: no access
  bool uniform = true;  ///< all lanes use address[0]
  /// Of the lanes of each half-warp, those that take no part included.
  std::array<LaneShape, 2> half{};
  std::uint8_t bytes = 4;  ///< per lane
  alignas(64) std::array<std::uint32_t, warp_size> address{};

  /// Sets `uniform` and `half` by all 32 addresses.
  void find_shapes();
};

/// The shape of the 16 addresses of a half-warp.
[[nodiscard]] inline LaneShape shape_of(const std::uint32_t* address) {
  constexpr unsigned word_bytes = 4;
  std::uint32_t different = 0;
  std::uint32_t irregular = 0;
  for (unsigned i = 0; i < warp_size / 2; ++i) {
    different |= address[i] ^ address[0];
    irregular |= address[i] ^ (address[0] + word_bytes * i);
  }
  if (different == 0) return LaneShape::one_address;
  return irregular == 0 ? LaneShape::consecutive : LaneShape::other;
}

inline void OnChipAccess::find_shapes() {
  constexpr unsigned half_warp = warp_size / 2;
  half = {shape_of(address.data()), shape_of(address.data() + half_warp)};
  uniform = half[0] == LaneShape::one_address && half[1] == half[0] && address[half_warp] == address[0];
}

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
