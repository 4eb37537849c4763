// SPDX-License-Identifier: Apache-2.0
// A launch under way, seen from outside: counters that grow, for display only.
#pragma once

#include <cstdint>

#include "sim/base/cache_statistics.h"
#include "sim/base/slot_reason.h"

namespace teslasim {

class Gpu;
struct LaunchStatistics;

/// Counted from the start of the launch, over the whole GPU. Slots that a warp will be charged for when it issues are
/// not in it yet.
struct LaunchLook {
  PerReason<> slots{};
  std::uint64_t read_bytes = 0, write_bytes = 0;  ///< of memory chips
  std::uint64_t transactions = 0;                 ///< that partitions served
  CacheStatistics instructions, constants;        ///< first level
  CacheStatistics textures, texture_l2;
  double seconds = 0.0;  ///< simulated

  LaunchLook& operator+=(const LaunchLook& other);
};

/// Between two quanta. `counted`: what the launch counts into.
[[nodiscard]] LaunchLook look_at(const Gpu& gpu, const LaunchStatistics& counted);
/// The same of a launch that has ended: complete.
[[nodiscard]] LaunchLook look_back(const LaunchStatistics& ended);

}  // namespace teslasim
