// SPDX-License-Identifier: Apache-2.0
// A read-only cache without time: tags, misses under way, and what was counted.
#pragma once

#include <cstdint>
#include <string_view>

#include "memory/cache/mshr_table.h"
#include "memory/cache/tag_array.h"
#include "sim/base/cache_statistics.h"

namespace teslasim {

/// Stands for the instruction, constant and texture caches and the TLBs of these chips, which hold what kernels never
/// write. It answers "is it there" and remembers who waits; ports, latencies and the way to the next level belong to
/// its owner. A line takes its place when it arrives, not when it is requested.
template <class Waiter>
class ReadCache {
 public:
  enum class Result : std::uint8_t {
    hit,
    miss,     ///< the owner must ask the next level for the line
    merged,   ///< a miss on a line that is under way
    refused,  ///< a miss without a place in the table: nothing counted, come again after a fill
  };

  /// `entries` misses under way, for `waiters` waiters in all.
  ReadCache(const CacheGeometry& geometry, std::string_view replacement, unsigned entries, unsigned waiters)
      : tags_(geometry, replacement), mshrs_(entries, waiters) {}

  Result read(Address address, const Waiter& waiter) {
    if (tags_.use(address)) {
      ++statistics_.accesses;
      ++statistics_.hits;
      return Result::hit;
    }
    const auto outcome = mshrs_.add(tags_.line_of(address), waiter);
    if (outcome == MshrTable<Waiter>::Outcome::refused) return Result::refused;
    ++statistics_.accesses;
    ++statistics_.misses;
    if (outcome == MshrTable<Waiter>::Outcome::started) return Result::miss;
    ++statistics_.merged;
    return Result::merged;
  }

  /// A look-up that asks for nothing: a hit is counted and marked as used, a miss leaves no trace.
  bool use(Address address) {
    if (!tags_.use(address)) return false;
    count_hit();
    return true;
  }

  /// The line of `address` has come; `deliver(waiter)` for each that waited, oldest first.
  template <class Deliver>
  void fill(Address address, Deliver&& deliver) {
    fill(address, tags_.geometry().ways, deliver);
  }
  /// The same, into one of the first `ways` ways of its set.
  template <class Deliver>
  void fill(Address address, unsigned ways, Deliver&& deliver) {
    tags_.fill(address, ways);
    ++statistics_.fills;
    mshrs_.release(tags_.line_of(address), deliver);
  }

  [[nodiscard]] const TagArray& tags() const { return tags_; }
  [[nodiscard]] const MshrTable<Waiter>& outstanding() const { return mshrs_; }
  [[nodiscard]] const CacheStatistics& statistics() const { return statistics_; }
  /// Counts hits that the owner knows of without a look-up (the same line again).
  void count_hit() {
    ++statistics_.accesses;
    ++statistics_.hits;
  }

  /// Empty, nothing under way, nothing counted.
  void reset() {
    tags_.clear();
    mshrs_.clear();
    statistics_ = {};
  }

 private:
  TagArray tags_;
  MshrTable<Waiter> mshrs_;
  CacheStatistics statistics_;
};

}  // namespace teslasim
