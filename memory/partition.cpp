// SPDX-License-Identifier: Apache-2.0
#include "memory/partition.h"

#include <algorithm>

#include "memory/crossbar_network.h"
#include "memory/image/memory_access.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

Partition::Partition(const MemoryPath& path, unsigned number, DramChannel& dram)
    : path_(path),
      number_(number),
      dram_(dram),
      requests_(path.places.partition_requests),
      room_(path.plan.tpcs, Credits(path.places.crossbar_responses)) {}

void Partition::connect(CreditReceiver& input_credits, TransactionReceiver& responses) {
  input_credits_ = &input_credits;
  responses_ = &responses;
}

void Partition::begin_launch(DeviceMemory& memory, CompletionReceiver* completions) {
  memory_ = &memory;
  completions_ = completions;
  dram_.reset();
  requests_.clear();
  for (auto& credits : room_) credits.reset();
  blocked_ = false;
  stores_performed_ = 0;
}

Femtoseconds Partition::receive(unsigned, const MemoryTransaction& transaction) {
  const bool first = requests_.empty();
  requests_.push(transaction);
  return first ? std::max(transaction.when, dram_.free_at()) : never;
}

Femtoseconds Partition::credit(unsigned tpc, Femtoseconds when) {
  room_[tpc].give_back(when);
  return blocked_ && path_.tpc_of(requests_.front().sm) == tpc ? when : never;
}

void Partition::serve(Femtoseconds now) {
  MemoryTransaction transaction = requests_.front();
  const unsigned tpc = path_.tpc_of(transaction.sm);
  if (transaction.response) {
    blocked_ = !room_[tpc].available(now);
    if (blocked_) return;
    room_[tpc].take();
  }
  requests_.pop();
  input_credits_->credit(number_, now + path_.latency.partition_to_crossbar);
  perform(*transaction.access, transaction.lanes, *memory_,
          {transaction.address, std::uint64_t{transaction.address} + transaction.bytes});
  transaction.when = dram_.serve(now, transaction);
  if (transaction.response) {
    transaction.when += path_.latency.partition_to_crossbar;
    responses_->receive(CrossbarNetwork::port(tpc, number_, path_.partitions()), transaction);
    return;
  }
  ++stores_performed_;
  if (completions_ != nullptr) completions_->completed(transaction);
}

Femtoseconds Partition::advance(Femtoseconds now) {
  if (requests_.ready(now) && dram_.free_at() <= now) serve(now);
  if (requests_.empty()) return never;
  if (blocked_) return room_[path_.tpc_of(requests_.front().sm)].next_return();
  return std::max(requests_.next_time(), dram_.free_at());
}

void Partition::describe_pending(std::vector<std::string>& lines) const {
  if (requests_.empty()) return;
  lines.push_back(std::to_string(requests_.size()) + " requests, the first from SM " +
                  std::to_string(requests_.front().sm) + (blocked_ ? ", with no room for its response" : ""));
}

}  // namespace teslasim
