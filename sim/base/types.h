// SPDX-License-Identifier: Apache-2.0
// Units and machine-wide constants shared by every layer.
#pragma once

#include <cstdint>

#include "sim/base/quantity.h"

namespace teslasim {

/// The clocks of a machine; each counts its own cycles. An SM issues at most one instruction in an SM cycle, which is
/// two cycles of the clock of its lanes (SP cycles).
using SmCycle = Quantity<struct SmCycleUnit>;
using SpCycle = Quantity<struct SpCycleUnit>;
using CoreCycle = Quantity<struct CoreCycleUnit>;
using MemoryCycle = Quantity<struct MemoryCycleUnit>;
/// Simulated time. 2^64 fs is 5 hours, far beyond any kernel.
using Femtoseconds = Quantity<struct FemtosecondsUnit>;

inline constexpr std::uint64_t sp_cycles_per_sm_cycle = 2;
constexpr SpCycle sp_cycles(SmCycle cycles) {
  return cycles.count() * sp_cycles_per_sm_cycle;
}
/// Whole SM cycles that are over.
constexpr SmCycle whole_sm_cycles(SpCycle cycles) {
  return cycles.count() / sp_cycles_per_sm_cycle;
}
/// So many cycles of a clock with this period.
template <typename Unit>
requires(!std::same_as<Quantity<Unit>, Femtoseconds>) constexpr Femtoseconds operator*(Quantity<Unit> cycles,
                                                                                       Femtoseconds period) {
  return period * cycles.count();
}

/// An SM of the GPU, counted through all TPCs.
using SmIndex = Identifier<struct SmIndexKind>;
/// A place for a warp in an SM; within its block a warp has a number of its own.
using WarpSlot = Identifier<struct WarpSlotKind>;
/// A block of the grid: x runs fastest.
using BlockIndex = Identifier<struct BlockIndexKind, std::uint64_t>;

/// A byte address in the 32-bit address space that compute capability 1.x code sees.
using Address = std::uint32_t;
/// One bit per lane of a warp, bit i = lane i.
using LaneMask = std::uint32_t;

/// "Nothing is wanted": later than every cycle and every time.
inline constexpr std::uint64_t never = ~std::uint64_t{0};

/// Threads per warp. Fixed by the instruction set (lane masks are 32 bits), so not a parameter.
inline constexpr unsigned warp_size = 32;
inline constexpr LaneMask all_lanes = 0xffffffffU;

}  // namespace teslasim
