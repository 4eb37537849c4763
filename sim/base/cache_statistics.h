// SPDX-License-Identifier: Apache-2.0
// What every cache counts.
#pragma once

#include <cstdint>

#include "sim/base/statistic_field.h"

namespace teslasim {

/// Laws: accesses = hits + misses; fills = misses - merged once nothing is under way.
struct CacheStatistics {
  std::uint64_t accesses = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t merged = 0;  ///< misses on a line that was under way already
  std::uint64_t fills = 0;   ///< lines that came from the next level
  CacheStatistics& operator+=(const CacheStatistics& other);
  friend bool operator==(const CacheStatistics&, const CacheStatistics&) = default;

  static constexpr auto fields(const auto& visit) {
    return visit(
        statistic("accesses", &CacheStatistics::accesses, "look-ups", "GPU",
                  "look-ups in this cache; a warp looks up code once per fetch block, and each different line of an "
                  "instruction's constants")
            .with_formula("hits + misses"),
        statistic("hits", &CacheStatistics::hits, "look-ups", "GPU", "look-ups that found their line"),
        statistic("misses", &CacheStatistics::misses, "look-ups", "GPU", "look-ups that did not find their line"),
        statistic("merged", &CacheStatistics::merged, "look-ups", "GPU", "misses on a line that was already under way"),
        statistic("fills", &CacheStatistics::fills, "lines", "GPU", "lines that came from the next level")
            .with_formula("misses - merged"),
        statistic_ratio("hit_rate", &CacheStatistics::hits, &CacheStatistics::accesses, "no access", "GPU",
                        "share of the look-ups that found their line", "hits / accesses"));
  }
};

}  // namespace teslasim
