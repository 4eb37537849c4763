// SPDX-License-Identifier: Apache-2.0
// The part of a TPC that its SMs share on the way to memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/memory_path.h"
#include "memory/transaction.h"
#include "sim/base/inbox.h"
#include "sim/base/launch_statistics.h"

namespace teslasim {

/// Stands for the memory path of the texture unit, which global and local accesses share without using its caches
/// (Collange 2010, section 10.2). One request per core cycle, round robin over the SMs, leaves for the crossbar if its
/// queue for the partition has room; one response per core cycle leaves for its SM, which has kept room for it.
/// Not modelled: texture filtering and caches, address translation, data width of the links (a transaction of any size
/// takes one cycle).
/// Calls come at the edges of the core clock. receive_* and credit return the time at which the unit wants to work
/// because of the message, or `never` when it makes no difference.
class MemoryUnit {
 public:
  MemoryUnit(const MemoryPath& path, unsigned tpc);
  /// `responses` and `credits`: one per SM, called with port 0. The crossbar's port is CrossbarNetwork::port.
  void connect(TransactionReceiver& crossbar, std::vector<TransactionReceiver*> responses,
               std::vector<CreditReceiver*> credits);
  void reset();

  Femtoseconds receive_request(unsigned sm_in_tpc, const MemoryTransaction& transaction);
  /// `port` is 0: the crossbar is the only sender.
  Femtoseconds receive_response(unsigned port, const MemoryTransaction& transaction);
  /// The crossbar's queue for `partition` has a place again from `when` on.
  Femtoseconds credit(unsigned partition, Femtoseconds when);
  Femtoseconds advance(Femtoseconds now);

  [[nodiscard]] bool idle() const;
  void describe_pending(std::vector<std::string>& lines) const;
  [[nodiscard]] std::uint64_t requests() const { return requests_sent_; }
  [[nodiscard]] std::uint64_t responses() const { return responses_sent_; }
  /// What answers took: the stages before and after the partitions, and the whole.
  [[nodiscard]] const RequestLatency& latency() const { return latency_; }

 private:
  void send_response(Femtoseconds now);
  void send_request(Femtoseconds now);
  [[nodiscard]] Femtoseconds next_request(Femtoseconds now);

  const MemoryPath& path_;
  unsigned first_sm_;                               ///< number in the GPU of the first SM of the TPC
  std::vector<Inbox<MemoryTransaction>> requests_;  ///< per SM
  std::vector<unsigned> target_;                    ///< per SM: partition of the oldest request
  std::vector<Credits> room_;                       ///< per partition, in the crossbar
  Inbox<MemoryTransaction> responses_;
  std::uint32_t blocked_ = 0;            ///< partitions without room for which the oldest request of some SM waits
  unsigned turn_ = 0;                    ///< SM that is asked first
  std::vector<unsigned> crossbar_port_;  ///< per partition
  TransactionReceiver* crossbar_ = nullptr;
  std::vector<TransactionReceiver*> to_sm_;
  std::vector<CreditReceiver*> credit_to_sm_;
  std::uint64_t requests_sent_ = 0;
  std::uint64_t responses_sent_ = 0;
  RequestLatency latency_;
};

}  // namespace teslasim
