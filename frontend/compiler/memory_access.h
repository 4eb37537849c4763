// SPDX-License-Identifier: Apache-2.0
// What instructions do to memory, and which of them must stay in their order.
//
// Two accesses may change places when both read, when they are in different spaces, or when both have fixed places that
// do not overlap; nothing is assumed of pointers. Barriers, atomic operations, locks, fences and volatile accesses keep
// their order with all accesses; the clock, traps and events with everything. Constants, textures and the words of the
// launch are never written.
#pragma once

#include <cstdint>

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// What an instruction does to memory.
struct MemoryAccess {
  enum class Order : std::uint8_t {
    free,  ///< no access, or of what nobody writes
    reads,
    writes,
    fence,       ///< keeps its place among accesses
    everything,  ///< keeps its place among instructions
    last         ///< stands behind all others
  };
  Order order = Order::free;
  Operand::Kind space = Operand::Kind::none;
  bool fixed = false;  ///< at a place that all threads know
  std::uint32_t begin = 0, end = 0;
};
[[nodiscard]] MemoryAccess memory_access(const MachineInstruction& one);
/// Must the two stay in their order?
[[nodiscard]] bool conflict(const MemoryAccess& left, const MemoryAccess& right);

}  // namespace teslasim::compiler
