// SPDX-License-Identifier: Apache-2.0
// The two tables of the summary that say where issue slots went: by reason and by instruction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/launch_statistics.h"
#include "sim/report/text/summary.h"

namespace teslasim {

/// WHERE THE ISSUE SLOTS WENT: the largest reasons, one per line, and the rest together. Sums to 100 %.
[[nodiscard]] std::string slot_table(const LaunchStatistics& launch, Bars bars);

struct HotSpot {
  std::size_t index = 0;    ///< Instruction::index
  std::uint64_t slots = 0;  ///< issue slots charged to the instruction
  std::string why;
};

/// The `count` instructions with most slots, most first.
[[nodiscard]] std::vector<HotSpot> hot_spots(const LaunchStatistics& launch, std::size_t count);

}  // namespace teslasim
