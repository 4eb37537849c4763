// SPDX-License-Identifier: Apache-2.0
// Where the cycles of single warps went, on the SMs that somebody asked about.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/slot_reason.h"
#include "sim/base/types.h"

namespace teslasim {

/// One warp on its SM, from the arrival of its block to the first cycle without the block. SM cycles of the launch.
struct WarpTimes {
  static constexpr SmCycle unfinished = never;
  std::uint32_t block = 0;
  std::uint32_t slot = 0;  ///< of the block
  std::uint32_t warp = 0;  ///< its number in the block
  SmCycle begin = 0;
  SmCycle finish = unfinished;  ///< the first cycle behind its last instruction
  SmCycle end = unfinished;
  std::uint64_t instructions = 0;         ///< of the warp
  std::uint64_t thread_instructions = 0;  ///< lanes that passed the guard
  PerReason<> cycles;                     ///< view B
};

/// The warps of one SM. The first ones are kept one by one; the others are counted, and their cycles are added up.
struct WarpRecords {
  static constexpr std::uint64_t most = 2048;
  bool kept = false;             ///< somebody asked for them
  std::vector<WarpTimes> first;  ///< in the order of arrival; all warps of a block or none
  std::uint64_t dropped = 0;
  WarpTimes rest;  ///< what those did together; it has no times

  /// From here on they are kept, and there is room: `warps` is how many there will be at most.
  void keep(std::uint64_t warps) {
    kept = true;
    first.reserve(std::min(warps, most));
  }
};

}  // namespace teslasim
