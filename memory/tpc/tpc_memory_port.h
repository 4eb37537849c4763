// SPDX-License-Identifier: Apache-2.0
// The part of a TPC that its SMs share on the way to memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/cache/mshr_table.h"
#include "memory/cache/tag_array.h"
#include "memory/memory_path.h"
#include "memory/texture/texture_unit.h"
#include "memory/transaction.h"
#include "memory/translation/translation.h"
#include "sim/base/inbox.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/ring.h"

namespace teslasim {

/// Stands for the memory path of the texture unit, which global and local accesses share without using its caches
/// (Collange 2010, section 10.2). One request per core cycle, round robin over the SMs, leaves for the crossbar if its
/// queue for the partition has room; one response per core cycle leaves for its SM, which has kept room for it.
/// Generating the address of a transaction takes `tpc.transaction_cycles`. This bounds accesses of many transactions
/// (decision 0047), not streams. How the generator works is not published; only its rate is modelled.
/// The TPC's first-level TLB translates a request before it leaves. After a miss the request waits in a
/// bounded queue until the memory management unit has answered, while others pass; requests of one page stay in order.
/// One that carries data keeps the port as long as the data take. Texture reads go to the texture unit, whose requests
/// for lines take turns with the SMs at the port; its replies leave in cycles in which no other response does, since
/// those cannot wait. Calls come at the edges of the core clock. receive_* and credit return the time at which the unit
/// wants to work because of the message, or `never` when it makes no difference.
class TpcMemoryPort {
 public:
  /// `textures`: that of the same TPC.
  TpcMemoryPort(const MemoryPath& path, unsigned tpc, TextureUnit& textures);
  /// `responses` and `credits`: one per SM, called with port 0. The crossbar's port is CrossbarNetwork::port.
  /// `translations`: the memory management unit, called with the number of the TPC.
  void connect(TransactionReceiver& crossbar, TranslationReceiver& translations,
               std::vector<TransactionReceiver*> responses, std::vector<CreditReceiver*> credits);
  /// `memory`, which the texture unit reads, may be null.
  void begin_launch(const DeviceMemory* memory);

  Femtoseconds receive_request(unsigned sm_in_tpc, const MemoryTransaction& transaction);
  /// `port` is 0: the crossbar is the only sender.
  Femtoseconds receive_response(unsigned port, const MemoryTransaction& transaction);
  /// A page of this TPC is translated. `port` is 0.
  Femtoseconds receive_translation(unsigned port, const Translation& translation);
  /// The crossbar's queue for `partition` has a place again from `when` on.
  Femtoseconds credit(unsigned partition, Femtoseconds when);
  Femtoseconds advance(Femtoseconds now);

  [[nodiscard]] bool idle() const;
  void describe_pending(std::vector<std::string>& lines) const;
  /// The TPC's first-level TLB.
  [[nodiscard]] const TagArray& tlb() const { return tlb_; }
  [[nodiscard]] std::uint64_t requests() const { return requests_sent_; }
  [[nodiscard]] std::uint64_t responses() const { return responses_sent_; }
  [[nodiscard]] std::uint64_t tlb_look_ups() const { return tlb_look_ups_; }
  [[nodiscard]] std::uint64_t tlb_misses() const { return tlb_misses_; }
  /// Latency of answered requests: the stages before and after the partitions, and the total.
  [[nodiscard]] const RequestLatency& latency() const { return latency_; }

 private:
  [[nodiscard]] bool send_response(Femtoseconds now);
  void send_texture_reply(Femtoseconds now);
  void start_texture_read(Femtoseconds now);
  void send_translated(Femtoseconds now);
  void send_request(Femtoseconds now);
  Femtoseconds advance_textures(Femtoseconds now);
  [[nodiscard]] bool send_from(unsigned source, Femtoseconds now);
  /// The request leaves for the crossbar; its time stamp changes.
  void send(MemoryTransaction& request, unsigned partition, Femtoseconds now);
  /// An SM's transaction takes the generator of addresses.
  void take_address(Femtoseconds now);
  /// Takes the oldest request of an SM out of its queue.
  void pop_request(unsigned sm, Femtoseconds now);
  void note_oldest(unsigned sm);
  /// Sources that compete for the port: the SMs, then the texture unit when it has requests.
  [[nodiscard]] unsigned sources() const { return sms_ + (textures_.misses().empty() ? 0U : 1U); }
  /// When the oldest request of a source may leave; `never` when it has none.
  [[nodiscard]] Femtoseconds due(unsigned source) const {
    return source < sms_ ? due_[source] : textures_.misses().next_time();
  }
  [[nodiscard]] unsigned target_of(unsigned source) const;
  /// Those of which a request waits for the port.
  [[nodiscard]] std::uint32_t waiting_sources() const {
    return others_ | (textures_.misses().empty() ? std::uint32_t{0} : std::uint32_t{1} << sms_);
  }
  void take_translations(Femtoseconds now);
  /// Translates a request: true when it may leave; else it now waits for its page, or was refused.
  enum class Outcome : std::uint8_t { translated, waits, refused };
  Outcome translate(const MemoryTransaction& request, Femtoseconds now);
  /// When the port and, for an SM, the generator of addresses are free.
  [[nodiscard]] Femtoseconds free_for(unsigned source) const {
    return source < sms_ && address_free_ > port_free_ ? address_free_ : port_free_;
  }
  [[nodiscard]] Femtoseconds next_texture_read() const;
  [[nodiscard]] Femtoseconds next_request(Femtoseconds now);
  [[nodiscard]] Femtoseconds room_for(unsigned partition, Femtoseconds now);

  static constexpr unsigned texture_unit = ~0U;  ///< as a target
  const MemoryPath& path_;
  TextureUnit& textures_;
  unsigned sms_;                                    ///< of the TPC
  unsigned first_sm_;                               ///< number in the GPU of the first SM of the TPC
  std::vector<Inbox<MemoryTransaction>> requests_;  ///< per SM
  std::vector<unsigned> target_;                    ///< per SM: partition of the oldest request, or texture_unit
  std::vector<Femtoseconds> due_;                   ///< per SM: when the oldest request may leave, or `never`
  std::uint32_t texture_reads_ = 0;                 ///< SMs whose oldest request is for the texture unit
  std::uint32_t others_ = 0;                        ///< SMs whose oldest request is for the port
  std::vector<Credits> room_;                       ///< per partition, in the crossbar
  Inbox<MemoryTransaction> responses_;
  TagArray tlb_;
  unsigned page_shift_;
  Address last_page_ = ~Address{0};  ///< number of the page used last, or none: it is the youngest of the TLB
  MshrTable<MemoryTransaction> waiting_;
  Inbox<Translation> translations_;
  Ring<MemoryTransaction> translated_{32};  ///< out of `waiting_`; leave before anything else, to stay in order
  std::uint32_t refused_ = 0;               ///< sources whose oldest request could not even wait for its page
  Femtoseconds port_free_ = 0;
  Femtoseconds address_free_ = 0;  ///< when the address of the next transaction of an SM is ready
  std::uint64_t tlb_look_ups_ = 0, tlb_misses_ = 0;
  Femtoseconds look_at_ = never;         ///< when something may have changed for the requests
  std::uint32_t blocked_ = 0;            ///< partitions without room for which the oldest request of a source waits
  unsigned turn_ = 0;                    ///< source that is asked first
  unsigned texture_turn_ = 0;            ///< SM that is asked first for a texture read
  std::vector<unsigned> crossbar_port_;  ///< per partition
  unsigned tpc_;
  TransactionReceiver* crossbar_ = nullptr;
  TranslationReceiver* management_ = nullptr;
  std::vector<TransactionReceiver*> to_sm_;
  std::vector<CreditReceiver*> credit_to_sm_;
  std::uint64_t requests_sent_ = 0;
  std::uint64_t responses_sent_ = 0;
  RequestLatency latency_;
};

}  // namespace teslasim
