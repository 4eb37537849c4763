// SPDX-License-Identifier: Apache-2.0
// Counts of a launch by what instructions do, summed over its instruction addresses: independent of time.
#pragma once

#include <cstdint>

#include "sim/base/launch_statistics.h"
#include "sim/exec/launch.h"
#include "sim/model/kernel_profile.h"

namespace teslasim {

struct LaunchCounts {
  // Of threads, in the classes of Konstantinidis 2017, Table 4.1.
  std::uint64_t fp32 = 0;   ///< single precision, multiply-adds and special functions included
  std::uint64_t fma32 = 0;  ///< multiply-adds among them
  std::uint64_t fp64 = 0, fma64 = 0;
  std::uint64_t integer = 0;
  /// Loads and stores of all spaces. An s[] operand counts only in a mov: elsewhere it takes no slot of its own.
  std::uint64_t load_store = 0;
  // Of warps.
  std::uint64_t memory_instructions = 0;  ///< global, local and texture, with at least one lane
  std::uint64_t uncoalesced_instructions = 0, uncoalesced_transactions = 0;
  StageCounts whole;  ///< the launch as one stage
};

[[nodiscard]] LaunchCounts count_launch(const Launch& launch, const LaunchStatistics& statistics);

}  // namespace teslasim
