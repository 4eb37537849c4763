// SPDX-License-Identifier: Apache-2.0
// A memory partition: where transactions take effect.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "memory/dram/memory_back_end.h"
#include "memory/memory_path.h"
#include "memory/partition/reply_queue.h"
#include "memory/partition/rop_unit.h"
#include "memory/texture/texture_l2.h"
#include "memory/traffic_observer.h"
#include "memory/transaction.h"
#include "sim/base/inbox.h"
#include "sim/base/ring.h"

namespace teslasim {

class DeviceMemory;

/// Stands for a partition with its raster operation unit (atomics) and memory controller. Its front takes one
/// transaction per memory cycle out of the input queue, first come, first served, when the controller has a place for
/// it and, if it wants a reply, the crossbar's response queue has one too. At that moment it reads or writes device
/// memory. All effects on global memory thus happen in the order of simulated time; what the controller reorders
/// later affects timing only. An atomic reads, waits for the ROP unit, replies, and writes. No reply leaves
/// before the configured uniform latency has passed since its request was taken (Collange 2010, section 10.5). Requests
/// of texture units look up the second-level texture cache; those that hit are answered after its latency, but in the
/// order of replies like all others. Calls come at the edges of the memory clock. receive and credit return the time at
/// which the partition wants to work because of the message, or `never` when it makes no difference.
class Partition {
 public:
  Partition(const MemoryPath& path, unsigned number, MemoryBackEnd& memory, TextureL2& textures);
  /// `input_credits`: the crossbar output in front, called with this partition's number. `responses`: the response
  /// network.
  void connect(CreditReceiver& input_credits, TransactionReceiver& responses);
  /// Also resets the memory behind it and the texture cache. `memory` must live until the launch has ended.
  /// `completions` may be null.
  void begin_launch(DeviceMemory& memory, CompletionReceiver* completions);

  /// Reports to `observer` what the chips serve, from the next launch on; null: to nobody.
  void observe(TrafficObserver* observer) { observer_ = observer; }
  /// Tells `observer` of every command to the chips; null: nobody.
  void observe_commands(DramCommandObserver* observer) { back_end_.observe(observer, number_); }

  /// `port` is 0: the crossbar is the only sender.
  Femtoseconds receive(unsigned port, const MemoryTransaction& transaction);
  /// The response queue for `tpc` has a place again from `when` on.
  Femtoseconds credit(unsigned tpc, Femtoseconds when);
  Femtoseconds advance(Femtoseconds now);

  [[nodiscard]] const RopUnit& rop() const { return rop_; }
  [[nodiscard]] bool idle() const { return requests_.empty() && in_memory() == 0 && write_backs_.empty(); }
  void describe_pending(std::vector<std::string>& lines) const;
  /// `duration` of the launch: the part after the last access is idle.
  [[nodiscard]] PartitionStatistics statistics(Femtoseconds duration = 0) const;
  /// When the last data so far was moved or the last reply left.
  [[nodiscard]] Femtoseconds last_completion() const;
  /// Transactions that took effect without a response: stores and reductions.
  [[nodiscard]] std::uint64_t stores_performed() const { return stores_performed_; }
  [[nodiscard]] TextureStatistics texture_statistics() const;
  /// Time that replies spent on the way here and in here.
  [[nodiscard]] const RequestLatency& latency() const { return latency_; }

 private:
  using Direction = MemoryDirection;
  using Served = MemoryBackEnd::Served;
  struct WriteBack {
    MemoryCycle ready = 0;
    MemoryTransaction transaction;
  };

  void write_back(MemoryCycle cycle);
  /// Takes the oldest request, which has a place, if it is there and its reply has room. Returns when to look again.
  Femtoseconds accept(Femtoseconds now, MemoryCycle cycle);
  [[nodiscard]] bool has_place(const MemoryTransaction& transaction) const;
  [[nodiscard]] Femtoseconds next_acceptance(Femtoseconds now) const;
  void take_effect(const MemoryTransaction& transaction, Femtoseconds now);
  void take_line_request(const MemoryTransaction& transaction, std::uint32_t ticket, Femtoseconds now,
                         MemoryCycle cycle);
  /// What was served goes on; its stamps change.
  void finish(Served& served);
  void finish_line(const Served& served);
  /// Leaves for the response network at `time`; returns when its port is free again.
  Femtoseconds send_reply(MemoryTransaction& reply, Femtoseconds time);
  void reply(Served& served, MemoryCycle ready);
  /// On to the memory, which has a place for it.
  void access(const MemoryTransaction& transaction, Direction direction, std::uint32_t ticket, MemoryCycle cycle);
  [[nodiscard]] unsigned used(Direction direction) const { return used_[static_cast<std::size_t>(direction)]; }
  [[nodiscard]] unsigned in_memory() const { return used(Direction::read) + used(Direction::write); }
  void count(const MemoryTransaction& transaction, Direction direction);
  void tell(const Served& served, Femtoseconds now);

  const MemoryPath& path_;
  unsigned number_;
  Femtoseconds period_;
  MemoryCycle uniform_latency_;
  Femtoseconds texture_hit_latency_;
  MemoryBackEnd& back_end_;
  std::array<unsigned, 2> used_{};  ///< transactions in the memory, by direction
  Served served_;                   ///< by the step under way
  RopUnit rop_;
  TextureL2& textures_;
  Inbox<MemoryTransaction> requests_;
  Femtoseconds accept_at_ = never;  ///< when the oldest of them, which has a place then, may be taken
  std::vector<Credits> room_;       ///< per TPC, in the response network
  bool blocked_on_reply_ = false;   ///< the oldest request waits for such a place
  ReplyQueue replies_;
  Ring<WriteBack> write_backs_{16};  ///< results of atomics on their way to memory
  unsigned reserved_writes_ = 0;     ///< places among the writes kept for atomics under way
  DeviceMemory* memory_ = nullptr;
  CreditReceiver* input_credits_ = nullptr;
  TransactionReceiver* responses_ = nullptr;
  CompletionReceiver* completions_ = nullptr;
  TrafficObserver* observer_ = nullptr;
  std::uint64_t told_depth_ = 0;
  std::uint64_t stores_performed_ = 0;
  PartitionStatistics statistics_;
  std::uint64_t texture_reads_ = 0, texture_read_bytes_ = 0;
  RequestLatency latency_;
};

}  // namespace teslasim
