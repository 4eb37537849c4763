// SPDX-License-Identifier: Apache-2.0
#include "memory/translation/memory_management_unit.h"

#include <algorithm>
#include <utility>

#include "memory/crossbar/crossbar_network.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

MemoryManagementUnit::MemoryManagementUnit(const MemoryPath& path)
    : path_(path),
      page_bytes_(page_bytes(path.tlb)),
      tags_(tlb_geometry(path.tlb.l2_entries, path.tlb.l2_ways), path.tlb.replacement),
      under_way_(path.tlb.walks, path.tlb.walks * path.plan.tpcs),
      requests_(path.plan.tpcs, Inbox<Translation>(path.tlb.pages_under_way)),
      room_(path.partitions(), Credits(path.places.crossbar_requests)),
      entries_(path.tlb.walks),
      last_answer_(path.plan.tpcs) {
  for (unsigned partition = 0; partition < path.partitions(); ++partition) {
    crossbar_port_.push_back(CrossbarNetwork::port(partition, path.walk_client(), path.clients()));
  }
}

void MemoryManagementUnit::connect(TransactionReceiver& crossbar, std::vector<TranslationReceiver*> tpcs) {
  SIM_CHECK(tpcs.size() == requests_.size(), "one link per TPC is needed");
  crossbar_ = &crossbar;
  tpcs_ = std::move(tpcs);
}

void MemoryManagementUnit::reset() {
  tags_.clear();
  under_way_.clear();
  for (auto& queue : requests_) queue.clear();
  for (auto& credits : room_) credits.reset();
  to_walk_.clear();
  entries_.clear();
  turn_ = 0;
  std::fill(last_answer_.begin(), last_answer_.end(), 0);
  look_ups_ = walks_ = 0;
}

Femtoseconds MemoryManagementUnit::receive_request(unsigned tpc, const Translation& translation) {
  requests_[tpc].push(translation);
  return translation.when;
}

Femtoseconds MemoryManagementUnit::receive_response(unsigned, const MemoryTransaction& transaction) {
  entries_.push(transaction);
  return transaction.when;
}

Femtoseconds MemoryManagementUnit::credit(unsigned partition, Femtoseconds when) {
  room_[partition].give_back(when);
  return to_walk_.empty() ? never : when;
}

void MemoryManagementUnit::answer(unsigned tpc, Address page, Femtoseconds now) {
  const Femtoseconds when = greater(now + path_.latency.translation_back, last_answer_[tpc]);
  last_answer_[tpc] = when;
  tpcs_[tpc]->translate(0, {when, page});
}

void MemoryManagementUnit::take_entries(Femtoseconds now) {
  while (entries_.ready(now)) {
    // The tag names the walk. The page number does not fit into it, so it travels as lanes.
    const Address page = entries_.front().lanes;
    entries_.pop();
    tags_.fill(page / page_bytes_);
    under_way_.release(page, [&](std::uint8_t tpc) { answer(tpc, page, now); });
  }
}

bool MemoryManagementUnit::serve(unsigned tpc, Femtoseconds now) {
  auto& queue = requests_[tpc];
  if (!queue.ready(now)) return false;
  const Address page = queue.front().page;
  if (tags_.use(page / page_bytes_)) {
    answer(tpc, page, now);
  } else {
    const auto outcome = under_way_.add(page, static_cast<std::uint8_t>(tpc));
    if (outcome == MshrTable<std::uint8_t>::Outcome::refused) return false;
    if (outcome == MshrTable<std::uint8_t>::Outcome::started) to_walk_.push(page);
  }
  ++look_ups_;
  queue.pop();
  return true;
}

void MemoryManagementUnit::look_up(Femtoseconds now) {
  const auto tpcs = static_cast<unsigned>(requests_.size());
  for (unsigned i = 0; i < tpcs; ++i) {
    const unsigned tpc = turn_ + i < tpcs ? turn_ + i : turn_ + i - tpcs;
    if (!serve(tpc, now)) continue;
    turn_ = tpc + 1 == tpcs ? 0 : tpc + 1;
    return;
  }
}

void MemoryManagementUnit::send_walk(Femtoseconds now) {
  if (to_walk_.empty()) return;
  const Address page = to_walk_.front();
  const Address entry = page_table_entry(page, page_bytes_);
  const unsigned partition = path_.map.partition_of(entry);
  if (!room_[partition].available(now)) return;
  room_[partition].take();
  to_walk_.pop();
  ++walks_;
  MemoryTransaction read;
  read.when = now + path_.plan.core_period;
  read.lanes = page;
  read.address = entry & ~Address{entry_read_bytes - 1};
  read.bytes = entry_read_bytes;
  read.sm = path_.walker();
  read.measured = false;
  crossbar_->receive(crossbar_port_[partition], read);
}

Femtoseconds MemoryManagementUnit::advance(Femtoseconds now) {
  take_entries(now);
  look_up(now);
  send_walk(now);
  Femtoseconds wanted = entries_.next_time();
  const bool full = under_way_.lines() == path_.tlb.walks;
  for (const auto& queue : requests_) {
    // When every walk is under way, the next entry wakes the unit; a page that hits or merges waits as little.
    if (queue.empty() || (full && queue.ready(now) && !tags_.contains(queue.front().page / page_bytes_) &&
                          !under_way_.contains(queue.front().page))) {
      continue;
    }
    wanted = lesser(wanted, greater(queue.next_time(), now + 1));
  }
  if (!to_walk_.empty()) {
    const unsigned partition = path_.map.partition_of(page_table_entry(to_walk_.front(), page_bytes_));
    wanted = lesser(wanted, room_[partition].available(now) ? now + 1 : room_[partition].next_return());
  }
  return wanted;
}

bool MemoryManagementUnit::idle() const {
  return under_way_.empty() && entries_.empty() &&
         std::all_of(requests_.begin(), requests_.end(), [](const auto& queue) { return queue.empty(); });
}

void MemoryManagementUnit::describe_pending(std::vector<std::string>& lines) const {
  if (!under_way_.empty()) lines.push_back(std::to_string(under_way_.lines()) + " page walks under way");
}

}  // namespace teslasim
