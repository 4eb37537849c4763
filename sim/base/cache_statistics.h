// SPDX-License-Identifier: Apache-2.0
// What every cache counts.
#pragma once

#include <cstdint>

namespace teslasim {

/// Laws: accesses = hits + misses; fills = misses - merged once nothing is under way.
struct CacheStatistics {
  std::uint64_t accesses = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t merged = 0;  ///< misses on a line that was under way already
  std::uint64_t fills = 0;   ///< lines that came from the next level
  CacheStatistics& operator+=(const CacheStatistics& other) {
    accesses += other.accesses;
    hits += other.hits;
    misses += other.misses;
    merged += other.merged;
    fills += other.fills;
    return *this;
  }
  friend bool operator==(const CacheStatistics&, const CacheStatistics&) = default;
};

}  // namespace teslasim
