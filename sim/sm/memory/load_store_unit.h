// SPDX-License-Identifier: Apache-2.0
// The path of global, local and texture accesses out of the SM and back.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "memory/tpc/coalescer.h"
#include "memory/tpc/texture_segments.h"
#include "memory/transaction.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/memory/queue_hold.h"
#include "sim/sm/units/functional_unit.h"

namespace teslasim {

/// How the SM's cycles and the link to its TPC translate into time.
struct MemoryLink {
  Femtoseconds cycle = 1;                               ///< length of an SM cycle
  Femtoseconds request_latency = 1;                     ///< SM to the memory port of the TPC
  unsigned credits = 1;                                 ///< places in that unit's queue for this SM
  unsigned port = 0;                                    ///< this SM's port there
  std::uint16_t sm = 0;                                 ///< this SM's number in the GPU
  unsigned texture_line_bytes = texture_segment_bytes;  ///< of the texture cache; for the counts
  SmCycle shortest_answer = 0;                          ///< no response of memory comes sooner after its request
};

/// Generates addresses for one memory instruction at a time and coalesces them. Its transactions leave one per SM cycle
/// while there are credits, that is, free places in the TPC's queue; the others wait here and block the unit (stall
/// reason mem.queue). A texture read leaves as one request for each half-warp. Loads and atomics are entered in a table
/// of outstanding accesses until their last transaction has returned. Not modelled: the cost of operand reads before
/// address generation; separate queues for loads and stores.
class LoadStoreUnit {
 public:
  LoadStoreUnit(CoalescingRules rules, const MemoryLink& link, unsigned table_entries);

  /// `profile`: where the profiler of the hardware counts, or null.
  void begin(TransactionReceiver& receiver, ProfilerCounters* profile = nullptr);

  /// False while the path generates the addresses of an access or transactions wait for a place in the TPC.
  [[nodiscard]] bool can_accept(SmCycle now) const { return now >= free_at(); }
  /// First cycle in which an access can issue; `never` while transactions wait.
  [[nodiscard]] SmCycle free_at() const { return hold_.held() ? never : greater(path_.free_at(), hold_.until()); }
  /// Sends the transactions of `record.access`, which issues in cycle `now`. Returns how many there are. A load or
  /// atomic keeps its record until `take_responses` gives it back.
  /// Precondition: can_accept(now) and, for loads, the table has a free entry.
  unsigned accept(InFlightInstruction& record, SmCycle now);
  /// A further pass over shared or constant memory takes the path once more.
  void accept_replay(const InFlightInstruction& record, SmCycle now) {
    path_.accept({record.timing->group_interval}, now);
  }
  /// A place in the TPC's queue is free from cycle `when`. Calls come in order of `when`.
  void receive_credit(SmCycle when) { returned_credits_.push(when); }
  /// Takes the places that are free by now; a transaction that waits leaves in the cycle of its credit. To be called in
  /// cycle `next_message` and before `accept`.
  void take_credits(SmCycle now) {
    for (; !returned_credits_.empty() && returned_credits_.front() <= now; returned_credits_.pop()) take_credit(now);
  }
  /// All credits that come before cycle `when` have been received. Of transactions that find no place in a later cycle
  /// it is not known whether they leave. False: that is still so, and the unit must not be used.
  bool know_credits_until(SmCycle when) {
    credits_known_until_ = when;
    return !unsettled_ || settle();
  }
  /// When the next place comes back for which a transaction waits, or `never`.
  [[nodiscard]] SmCycle next_credit() const {
    return backlog_.empty() || returned_credits_.empty() ? never : returned_credits_.front();
  }
  /// A transaction is on its way back and arrives in cycle `when`. False: it is not the last of its access, so that
  /// nothing happens in that cycle. Calls come in the order of `when`.
  bool receive_response(SmCycle when, std::uint16_t tag);
  /// Gives back the accesses whose last transaction has arrived by now: `finished(record)`.
  template <class Finished>
  void take_responses(SmCycle now, Finished&& finished) {
    for (; !responses_.empty() && responses_.front().when <= now;) {
      const std::uint16_t tag = responses_.front().tag;
      responses_.pop();
      finished(*give_entry_back(tag));
    }
  }
  /// The first cycle in which a message must be taken, or `never`.
  [[nodiscard]] SmCycle next_message() const {
    return responses_.empty() ? next_credit() : lesser(next_credit(), responses_.front().when);
  }

  /// Before this cycle no access gets its last response, as far as its requests tell; `never`: none is outstanding.
  /// Of reads through the texture cache, which may answer sooner than memory, that is not known.
  [[nodiscard]] SmCycle next_answer() const {
    if (texture_reads_ != 0) return 0;
    return asked_.empty() ? SmCycle{never} : asked_.front().answer;
  }

  /// Whether the last access may bring a message sooner than those before it. An answer does not: requests are answered
  /// no sooner than the oldest.
  [[nodiscard]] bool may_be_answered_sooner() const {
    return outstanding_ == 1 || texture_reads_ != 0 || !backlog_.empty();
  }

  [[nodiscard]] const FunctionalUnit& address_generation() const { return path_; }
  [[nodiscard]] const CoalescingRules& coalescer() const { return rules_; }
  /// What kept accesses from starting besides the queue.
  [[nodiscard]] const StartAccount& account() const { return path_.account(); }
  /// What the queue kept from starting.
  [[nodiscard]] const QueueHold& hold() const { return hold_; }
  [[nodiscard]] SmCycle busy_cycles() const { return path_.busy_cycles(); }
  [[nodiscard]] std::uint64_t loads_sent() const { return loads_sent_; }
  [[nodiscard]] std::uint64_t loads_returned() const { return loads_returned_; }
  [[nodiscard]] std::uint64_t stores_sent() const { return stores_sent_; }
  [[nodiscard]] std::uint64_t atomics_sent() const { return atomics_sent_; }
  [[nodiscard]] std::uint64_t atomic_bytes() const { return atomic_bytes_; }
  [[nodiscard]] bool idle() const { return outstanding_ == 0 && backlog_.empty(); }
  /// Loads and atomics whose last transaction has not returned.
  [[nodiscard]] unsigned outstanding() const { return outstanding_; }
  /// Transactions that wait for a place in the TPC.
  [[nodiscard]] std::size_t backlog() const { return backlog_.size(); }
  void describe_pending(const std::string& prefix, std::vector<std::string>& lines) const;

 private:
  struct Response {
    SmCycle when;
    std::uint16_t tag;
  };
  struct Entry {
    InFlightInstruction* record = nullptr;
    SmCycle answer = 0;  ///< the last response comes in this cycle or later; 0 for a texture read
  };
  /// An access to memory, which may have been answered.
  struct Asked {
    SmCycle answer;
    std::uint16_t tag;
  };
  void enter(InFlightInstruction& record, MemoryTransaction& transaction, unsigned transactions);
  InFlightInstruction* give_entry_back(std::uint16_t tag);
  void send(MemoryTransaction& transaction, SmCycle departure);
  void take_credit(SmCycle now);
  bool settle();
  unsigned divide(const MemoryAccess& access, CoalescingStatistics& statistics);
  unsigned divide_texture_read(const MemoryAccess& access, CoalescingStatistics& statistics);

  CoalescingRules rules_;
  MemoryLink link_;
  FunctionalUnit path_;  ///< address generation
  QueueHold hold_;
  TransactionReceiver* receiver_ = nullptr;
  ProfilerCounters* profile_ = nullptr;
  std::vector<Entry> table_;  ///< outstanding accesses by tag
  Ring<Asked> asked_{64};     ///< oldest first; the first one has not been answered
  std::vector<std::uint16_t> free_entries_;
  Ring<MemoryTransaction> backlog_{64};
  Ring<Response> responses_{64};        ///< the last ones of their accesses, on their way here
  Ring<SmCycle> returned_credits_{64};  ///< on their way here, or not yet looked at because nothing waits for them
  std::array<CoalescedTransaction, max_texture_segments> transactions_;  ///< of the access that issues
  unsigned credits_ = 0;
  unsigned outstanding_ = 0;
  unsigned texture_reads_ = 0;  ///< of them
  SmCycle next_departure_ = 0;
  SmCycle credits_known_until_ = never;
  SmCycle last_access_ = 0;
  bool unsettled_ = false;  ///< whether its transactions found places is not known yet
  std::uint64_t loads_sent_ = 0, loads_returned_ = 0, stores_sent_ = 0;
  std::uint64_t atomics_sent_ = 0, atomic_bytes_ = 0;  ///< part of loads and stores
};

}  // namespace teslasim
