// SPDX-License-Identifier: Apache-2.0
// A memory partition: where transactions take effect.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/dram_channel.h"
#include "memory/memory_path.h"
#include "memory/transaction.h"
#include "sim/base/inbox.h"

namespace teslasim {

class DeviceMemory;

/// Stands for a partition with its raster operation units (atomics) and memory controller. Transactions are served
/// first come, first served; each reads or writes device memory at the moment its service starts, so that all effects
/// on global memory happen in one order, that of simulated time. A read needs a place in the crossbar's response queue
/// before it starts.
/// Not modelled: L2 texture cache, the cost of atomic operations beyond their transaction, reordering.
/// Calls come at the edges of the memory clock. receive and credit return the time at which the partition wants to work
/// because of the message, or `never` when it makes no difference.
class Partition {
 public:
  Partition(const MemoryPath& path, unsigned number, DramChannel& dram);
  /// `input_credits`: the crossbar output in front, called with this partition's number. `responses`: the response
  /// network.
  void connect(CreditReceiver& input_credits, TransactionReceiver& responses);
  /// Also resets the DRAM channel. `memory` must live until the launch has ended. `completions` may be null.
  void begin_launch(DeviceMemory& memory, CompletionReceiver* completions);

  /// `port` is 0: the crossbar is the only sender.
  Femtoseconds receive(unsigned port, const MemoryTransaction& transaction);
  /// The response queue for `tpc` has a place again from `when` on.
  Femtoseconds credit(unsigned tpc, Femtoseconds when);
  Femtoseconds advance(Femtoseconds now);

  [[nodiscard]] bool idle() const { return requests_.empty(); }
  void describe_pending(std::vector<std::string>& lines) const;
  [[nodiscard]] const PartitionStatistics& statistics() const { return dram_.statistics(); }
  [[nodiscard]] Femtoseconds last_completion() const { return dram_.last_completion(); }
  /// Transactions that took effect without a response: stores and reductions.
  [[nodiscard]] std::uint64_t stores_performed() const { return stores_performed_; }

 private:
  void serve(Femtoseconds now);

  const MemoryPath& path_;
  unsigned number_;
  DramChannel& dram_;
  Inbox<MemoryTransaction> requests_;
  std::vector<Credits> room_;  ///< per TPC, in the response network
  bool blocked_ = false;       ///< the oldest request waits for such a place
  DeviceMemory* memory_ = nullptr;
  CreditReceiver* input_credits_ = nullptr;
  TransactionReceiver* responses_ = nullptr;
  CompletionReceiver* completions_ = nullptr;
  std::uint64_t stores_performed_ = 0;
};

}  // namespace teslasim
