// SPDX-License-Identifier: Apache-2.0
// The DRAM behind one memory partition, in its simplest form.
#pragma once

#include "memory/memory_path.h"
#include "memory/transaction.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"

namespace teslasim {

/// A data bus and a fixed access time: a transaction keeps the bus for ceil(bytes / bytes per cycle) memory cycles, and
/// is complete an access time after its transfer could have started. Transactions are served one after the other.
/// Not modelled: banks and rows, activate and precharge, read/write turns, refresh, reordering.
class DramChannel {
 public:
  explicit DramChannel(const MemoryPath& path);
  void reset();

  /// From when on the next transaction may be served.
  [[nodiscard]] Femtoseconds free_at() const { return free_at_; }
  /// Serves at the memory clock edge `now`, not before free_at(). Returns when the data is there (or written).
  Femtoseconds serve(Femtoseconds now, const MemoryTransaction& transaction);

  [[nodiscard]] const PartitionStatistics& statistics() const { return statistics_; }
  /// When the last transaction so far is complete.
  [[nodiscard]] Femtoseconds last_completion() const { return last_completion_; }

 private:
  Femtoseconds period_;
  Femtoseconds access_time_;
  unsigned bytes_per_cycle_;
  Femtoseconds free_at_ = 0;
  Femtoseconds last_completion_ = 0;
  PartitionStatistics statistics_;
};

}  // namespace teslasim
