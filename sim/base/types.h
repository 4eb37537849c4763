// SPDX-License-Identifier: Apache-2.0
// Units and machine-wide constants shared by every layer.
#pragma once

#include <cstdint>

namespace teslasim {

/// A count of clock cycles in the clock of the unit that holds it (say which in the name or comment).
using Cycle = std::uint64_t;
/// Simulated time. 2^64 fs is 5 hours, far beyond any kernel.
using Femtoseconds = std::uint64_t;
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
