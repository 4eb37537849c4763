// SPDX-License-Identifier: Apache-2.0
// What a partition needs of the memory behind it, whatever that is.
#pragma once

#include <cstdint>

#include "memory/traffic_observer.h"
#include "memory/transaction.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"

namespace teslasim {

enum class MemoryDirection : std::uint8_t { read, write };

/// Takes transactions and gives each back once, in any order. It decides only when: values have been exchanged
/// before, at the front of the partition. The partition never sends more than `dram.queue` reads or
/// `dram.write_queue` writes. Built in is the DramController; another one leads to a memory model outside. All times
/// are cycles of the memory clock.
class MemoryBackEnd {
 public:
  using Direction = MemoryDirection;

  /// A transaction on its way back.
  struct Served {
    MemoryTransaction transaction;
    std::uint32_t ticket = 0;  ///< as given to push
    MemoryCycle arrival = 0;
    MemoryCycle command = 0;         ///< the memory began to serve it; the time before is waiting
    MemoryCycle data_end = 0;        ///< cycle after its last data
    std::uint64_t row_hits = 0;      ///< of this transaction: 0 or 1, where rows are known
    std::uint64_t depth_cycles = 0;  ///< transactions here, summed over the memory cycles up to this departure
  };

  virtual ~MemoryBackEnd() = default;
  MemoryBackEnd(const MemoryBackEnd&) = delete;
  MemoryBackEnd& operator=(const MemoryBackEnd&) = delete;

  virtual void reset() = 0;
  /// Reports every command to `observer`, as one of partition `partition`; null: to nobody.
  virtual void observe(DramCommandObserver* observer, unsigned partition) = 0;
  /// Calls come in the order of `now`.
  virtual void push(const MemoryTransaction& transaction, Direction direction, std::uint32_t ticket,
                    MemoryCycle now) = 0;
  /// Works at `now`. Returns true when a transaction is done: `served`.
  virtual bool step(MemoryCycle now, Served& served) = 0;
  /// The next cycle in which a step may be of use, or `never`. May be too early, never too late: a step before does
  /// nothing.
  [[nodiscard]] MemoryCycle wanted() const { return wanted_; }
  /// Cycle after the last data so far.
  [[nodiscard]] virtual MemoryCycle last_data() const = 0;
  /// Adds what was counted in a launch of `cycles` memory cycles to `statistics`.
  virtual void add_to(PartitionStatistics& statistics, MemoryCycle cycles) const = 0;

 protected:
  MemoryBackEnd() = default;
  void want(MemoryCycle cycle) { wanted_ = cycle < wanted_ ? cycle : wanted_; }

  MemoryCycle wanted_ = never;
};

}  // namespace teslasim
