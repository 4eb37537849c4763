// SPDX-License-Identifier: Apache-2.0
// Lists the warps that reached a barrier and those that did not, for the message about a stuck kernel.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/exec/barrier.h"
#include "sim/exec/launch.h"

namespace teslasim {

/// The present state of one warp of the block.
struct BarrierWarp {
  bool finished = false;
  std::uint32_t pc = 0;   ///< of its last instruction
  std::string condition;  ///< what follows the place, e.g. "in cycle 1398" or "waits: barrier"; may be empty
};

struct BarrierReport {
  std::vector<std::string> lines;  ///< one block: per barrier that is waited at, who arrived and who is missing
  std::string cause;               ///< one sentence; empty when no warp is missing at any barrier
};

/// "0x0058  bar.sync.u32 0x00000000"
[[nodiscard]] std::string describe_instruction(const Launch& launch, std::uint32_t pc);

[[nodiscard]] BarrierReport describe_barriers(const Launch& launch, BlockIndex block, const BlockBarriers& barriers,
                                              std::span<const BarrierWarp> warps);

}  // namespace teslasim
