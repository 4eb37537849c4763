// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/load_store_unit.h"

#include <algorithm>
#include <bit>

#include "memory/image/memory_access.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

bool wants_response(const MemoryAccess& access) {
  return access.kind == MemoryAccess::Kind::load || access.kind == MemoryAccess::Kind::atomic;
}

/// Stores count by size: 2, 4 or 8 (profiler_counter.def).
std::uint64_t store_steps(const CoalescedTransaction& transaction) {
  constexpr unsigned bytes_per_step = 16;
  return transaction.bytes / bytes_per_step;
}

void count_global(std::span<const CoalescedTransaction> transactions, bool load, ProfilerCounters& profile) {
  using C = ProfilerCounter;
  for (const CoalescedTransaction& transaction : transactions) {
    const bool coalesced = transaction.bytes > 32;  // by the strict rules
    if (load) {
      ++profile[coalesced ? C::gld_coherent : C::gld_incoherent];
      ++profile[transaction.bytes == 32 ? C::gld_32b : transaction.bytes == 64 ? C::gld_64b : C::gld_128b];
    } else {
      ++profile[coalesced ? C::gst_coherent : C::gst_incoherent];
      profile[transaction.bytes == 32   ? C::gst_32b
              : transaction.bytes == 64 ? C::gst_64b
                                        : C::gst_128b] += store_steps(transaction);
    }
  }
}

void count_profile(const MemoryAccess& access, std::span<const CoalescedTransaction> transactions,
                   ProfilerCounters& profile) {
  using C = ProfilerCounter;
  const bool load = access.kind == MemoryAccess::Kind::load;
  if (!load && access.kind != MemoryAccess::Kind::store) return;
  if (access.space == MemoryAccess::Space::local) {
    for (const CoalescedTransaction& transaction : transactions) {
      profile[load ? C::local_load : C::local_store] += load ? 1 : store_steps(transaction);
    }
  } else if (access.space == MemoryAccess::Space::global) {
    const unsigned halves = ((access.lanes & 0xffffU) != 0 ? 1U : 0U) + ((access.lanes >> 16) != 0 ? 1U : 0U);
    profile[load ? C::gld_request : C::gst_request] += halves;
    count_global(transactions, load, profile);
  }
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(CoalescingRules rules, const MemoryLink& link, unsigned table_entries)
    : rules_(rules), link_(link), table_(table_entries) {}

void LoadStoreUnit::begin(TransactionReceiver& receiver, ProfilerCounters* profile) {
  receiver_ = &receiver;
  profile_ = profile;
  path_.clear();
  hold_ = {};
  std::fill(table_.begin(), table_.end(), Entry{});
  asked_.clear();
  free_entries_.clear();
  for (std::size_t i = table_.size(); i-- > 0;) free_entries_.push_back(static_cast<std::uint16_t>(i));
  backlog_.clear();
  responses_.clear();
  returned_credits_.clear();
  credits_ = link_.credits;
  outstanding_ = texture_reads_ = 0;
  next_departure_ = 0;
  credits_known_until_ = never;
  unsettled_ = false;
  loads_sent_ = loads_returned_ = stores_sent_ = 0;
  atomics_sent_ = atomic_bytes_ = 0;
}

void LoadStoreUnit::send(MemoryTransaction& transaction, SmCycle departure) {
  --credits_;
  transaction.mark = departure * link_.cycle;
  transaction.when = transaction.mark + link_.request_latency;
  receiver_->receive(link_.port, transaction);
}

/// Half a warp is one request. What is counted as traffic are the lines of the texture cache that it looks up.
unsigned LoadStoreUnit::divide_texture_read(const MemoryAccess& access, CoalescingStatistics& statistics) {
  constexpr LaneMask lower_half = 0xffffU;
  const unsigned lines = texture_segments(*access.texture, access.lanes, transactions_, link_.texture_line_bytes);
  count_traffic(access, std::span(transactions_).first(lines), statistics);
  unsigned n = 0;
  for (const LaneMask half : {access.lanes & lower_half, access.lanes & ~lower_half}) {
    if (half == 0) continue;
    transactions_[n++] = {access.address[static_cast<unsigned>(std::countr_zero(half))], 0, half};
  }
  return n;
}

/// Into what leaves for the TPC; returns how many.
unsigned LoadStoreUnit::divide(const MemoryAccess& access, CoalescingStatistics& statistics) {
  if (access.space == MemoryAccess::Space::texture) return divide_texture_read(access, statistics);
  const unsigned n = rules_.coalesce(access, transactions_);
  count_traffic(access, std::span(transactions_).first(n), statistics);
  if (profile_ != nullptr) count_profile(access, std::span(transactions_).first(n), *profile_);
  return n;
}

/// Its transactions leave in cycle next_departure_ or later.
void LoadStoreUnit::enter(InFlightInstruction& record, MemoryTransaction& transaction, unsigned transactions) {
  SIM_CHECK(!free_entries_.empty(), "the table of outstanding accesses overflowed");
  transaction.tag = free_entries_.back();
  free_entries_.pop_back();
  Entry& entry = table_[transaction.tag] = {&record, 0};
  if (transaction.texture) {
    ++texture_reads_;
  } else {
    entry.answer = next_departure_ + link_.shortest_answer;
    asked_.push({entry.answer, transaction.tag});
  }
  record.transactions = static_cast<std::uint16_t>(transactions);
  ++record.results;
  ++outstanding_;
}

InFlightInstruction* LoadStoreUnit::give_entry_back(std::uint16_t tag) {
  free_entries_.push_back(tag);
  --outstanding_;
  if (table_[tag].answer == 0) --texture_reads_;
  table_[tag].answer = 0;
  while (!asked_.empty() && table_[asked_.front().tag].answer != asked_.front().answer) asked_.pop();
  return table_[tag].record;
}

unsigned LoadStoreUnit::accept(InFlightInstruction& record, SmCycle now) {
  SIM_CHECK(record.access != nullptr, "a memory instruction without an access");
  MemoryAccess& access = *record.access;
  record.unit = Pipe::memory;
  record.result_reason = record.timing->result_reason;
  const unsigned n = divide(access, record.counts->memory);
  path_.accept({greater(SmCycle{record.timing->interval}, n)}, now);

  access.served = 0;
  MemoryTransaction transaction;
  transaction.access = &access;
  transaction.sm = link_.sm;
  transaction.born = now * link_.cycle;
  transaction.write = access.kind == MemoryAccess::Kind::store || access.kind == MemoryAccess::Kind::reduction;
  transaction.response = wants_response(access);
  transaction.texture = access.space == MemoryAccess::Space::texture;
  transaction.atomic = access.kind == MemoryAccess::Kind::atomic || access.kind == MemoryAccess::Kind::reduction;
  next_departure_ = greater(next_departure_, now + 1);
  if (transaction.response) {
    enter(record, transaction, n);
    loads_sent_ += n;
  } else {
    stores_sent_ += n;
  }
  for (unsigned i = 0; i < n; ++i) {
    transaction.address = transactions_[i].address;
    transaction.bytes = transactions_[i].bytes;
    transaction.lanes = transactions_[i].lanes;
    if (transaction.atomic) {
      ++atomics_sent_;
      atomic_bytes_ += transaction.bytes;
    }
    if (credits_ == 0) {
      backlog_.push(transaction);
    } else {
      send(transaction, next_departure_);
      ++next_departure_;
    }
  }
  if (!backlog_.empty()) {
    unsettled_ = now >= credits_known_until_;
    last_access_ = now;
    if (!unsettled_) hold_.begin(path_.free_at());
  }
  return n;
}

/// Credits that had come by the cycle of the access let transactions leave at once.
bool LoadStoreUnit::settle() {
  if (last_access_ >= credits_known_until_) return false;
  unsettled_ = false;
  for (; !returned_credits_.empty() && returned_credits_.front() <= last_access_; returned_credits_.pop()) ++credits_;
  for (; credits_ != 0 && !backlog_.empty(); backlog_.pop()) {
    send(backlog_.front(), next_departure_);
    ++next_departure_;
  }
  if (!backlog_.empty()) hold_.begin(path_.free_at());
  return true;
}

void LoadStoreUnit::take_credit(SmCycle now) {
  ++credits_;
  if (backlog_.empty()) return;
  next_departure_ = greater(next_departure_, now);
  send(backlog_.front(), next_departure_);
  ++next_departure_;
  backlog_.pop();
  if (backlog_.empty()) hold_.end(next_departure_ - 1);
}

bool LoadStoreUnit::receive_response(SmCycle when, std::uint16_t tag) {
  InFlightInstruction* const record = table_[tag].record;
  SIM_CHECK(record != nullptr && record->transactions != 0, "a response belongs to no outstanding access");
  ++loads_returned_;
  if (--record->transactions != 0) return false;
  responses_.push({when, tag});
  return true;
}

void LoadStoreUnit::describe_pending(const std::string& prefix, std::vector<std::string>& lines) const {
  if (outstanding_ != 0) {
    lines.push_back(prefix + ": " + std::to_string(outstanding_) + " memory accesses outstanding");
  }
  if (!backlog_.empty()) {
    lines.push_back(prefix + ": " + std::to_string(backlog_.size()) + " transactions wait for a place in the TPC");
  }
}

}  // namespace teslasim
