// SPDX-License-Identifier: Apache-2.0
// The second-level texture cache of a partition.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "memory/cache/read_cache.h"
#include "memory/memory_path.h"
#include "memory/transaction.h"
#include "sim/base/launch_statistics.h"

namespace teslasim {

/// Stands for the share of the distributed second-level texture cache that a partition holds: it merges the misses of
/// all first levels on the memory of the partition (Collange 2010, section 10.4). A line is read as a whole, in
/// transactions of up to 128 bytes, and takes its place when the last has been served. Sets follow the address within
/// the partition, so that any number of partitions uses all of them. Tags without time: latencies and ports belong to
/// the partition. Not modelled: banks, sectors, delivery of the wanted part of a line first. Allocates only when
/// constructed.
class TextureL2 {
 public:
  static constexpr unsigned read_bytes = 128;  ///< the largest transaction of the machine
  enum class Outcome : std::uint8_t {
    hit,
    waits,  ///< for a line that is under way
    reads,  ///< it is the first to wait for its line: reads() are needed
  };
  struct Waiter {
    MemoryTransaction transaction;
    MemoryCycle arrival = 0;   ///< memory cycle
    std::uint32_t ticket = 0;  ///< in the order of replies
  };

  explicit TextureL2(const MemoryPath& path);
  void reset();

  /// A request for `address` can be looked up: it hits, or there are places for it and `read_places` for its reads.
  [[nodiscard]] bool can_take(Address address, unsigned read_places) const;
  /// Precondition: can_take.
  Outcome look_up(const Waiter& waiter);
  /// Transactions that read a line.
  [[nodiscard]] unsigned reads() const { return reads_; }
  /// The i-th of those for the line of `address`.
  [[nodiscard]] MemoryTransaction read(Address address, unsigned i) const;
  /// A read was served; with the last one of a line, `deliver(waiter)` for each that waited, oldest first.
  template <class Deliver>
  void served(const MemoryTransaction& read, Deliver&& deliver) {
    Line& line = find(first_of(read.address));
    if (--line.missing != 0) return;
    line = lines_[--used_];
    cache_.fill(map_.local_of(first_of(read.address)), deliver);
  }

  [[nodiscard]] const CacheStatistics& statistics() const { return cache_.statistics(); }

 private:
  struct Line {
    Address first = 0;
    unsigned missing = 0;  ///< reads that have not been served
  };
  [[nodiscard]] Address first_of(Address address) const { return address & ~(line_bytes_ - 1); }
  [[nodiscard]] Line& find(Address first);

  AddressMap map_;
  unsigned line_bytes_, reads_;
  unsigned places_, waiting_places_;
  ReadCache<Waiter> cache_;  ///< by address within the partition
  std::vector<Line> lines_;  ///< under way; the first `used_` are in use
  std::size_t used_ = 0;
};

}  // namespace teslasim
