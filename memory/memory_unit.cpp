// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_unit.h"

#include <algorithm>
#include <utility>

#include "memory/crossbar_network.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

MemoryUnit::MemoryUnit(const MemoryPath& path, unsigned tpc)
    : path_(path),
      first_sm_(tpc * path.plan.sms_per_tpc),
      requests_(path.plan.sms_per_tpc, Inbox<MemoryTransaction>(path.places.tpc_requests)),
      target_(path.plan.sms_per_tpc),
      room_(path.partitions(), Credits(path.places.crossbar_requests)),
      responses_(path.places.tpc_responses) {
  for (unsigned partition = 0; partition < path.partitions(); ++partition) {
    crossbar_port_.push_back(CrossbarNetwork::port(partition, tpc, path.clients()));
  }
}

void MemoryUnit::connect(TransactionReceiver& crossbar, std::vector<TransactionReceiver*> responses,
                         std::vector<CreditReceiver*> credits) {
  SIM_CHECK(responses.size() == requests_.size() && credits.size() == requests_.size(), "one link per SM is needed");
  crossbar_ = &crossbar;
  to_sm_ = std::move(responses);
  credit_to_sm_ = std::move(credits);
}

void MemoryUnit::reset() {
  for (auto& queue : requests_) queue.clear();
  for (auto& credits : room_) credits.reset();
  responses_.clear();
  blocked_ = 0;
  turn_ = 0;
  requests_sent_ = responses_sent_ = 0;
  latency_ = {};
}

Femtoseconds MemoryUnit::receive_request(unsigned sm_in_tpc, const MemoryTransaction& transaction) {
  auto& queue = requests_[sm_in_tpc];
  if (transaction.response) latency_.add(MemoryStage::addr_coal, transaction.mark - transaction.born);
  const bool first = queue.empty();
  queue.push(transaction);
  if (!first) return never;
  target_[sm_in_tpc] = path_.map.partition_of(transaction.address);
  return transaction.when;
}

Femtoseconds MemoryUnit::receive_response(unsigned, const MemoryTransaction& transaction) {
  const bool first = responses_.empty();
  responses_.push(transaction);
  return first ? transaction.when : never;
}

Femtoseconds MemoryUnit::credit(unsigned partition, Femtoseconds when) {
  room_[partition].give_back(when);
  return (blocked_ >> partition & 1U) != 0 ? when : never;
}

void MemoryUnit::send_response(Femtoseconds now) {
  if (!responses_.ready(now)) return;
  MemoryTransaction response = responses_.front();
  responses_.pop();
  response.when = now + path_.latency.tpc_to_sm;
  latency_.add(MemoryStage::noc_rsp, response.when - response.mark);
  latency_.add_answer(response.when - response.born);
  ++responses_sent_;
  to_sm_[response.sm - first_sm_]->receive(0, response);
}

void MemoryUnit::send_request(Femtoseconds now) {
  const auto sms = static_cast<unsigned>(requests_.size());
  for (unsigned i = 0; i < sms; ++i) {
    const unsigned sm = turn_ + i < sms ? turn_ + i : turn_ + i - sms;
    auto& queue = requests_[sm];
    if (!queue.ready(now) || !room_[target_[sm]].available(now)) continue;
    MemoryTransaction request = queue.front();
    queue.pop();
    const unsigned partition = target_[sm];
    room_[partition].take();
    if (!queue.empty()) target_[sm] = path_.map.partition_of(queue.front().address);
    turn_ = sm + 1 == sms ? 0 : sm + 1;
    ++requests_sent_;
    request.when = now + path_.latency.tpc_to_crossbar;
    crossbar_->receive(crossbar_port_[partition], request);
    credit_to_sm_[sm]->credit(0, now + path_.latency.tpc_credit);
    return;
  }
}

/// When the oldest request of any SM may leave as far as is known; notes which partitions are waited for.
Femtoseconds MemoryUnit::next_request(Femtoseconds now) {
  Femtoseconds next = never;
  blocked_ = 0;
  for (std::size_t sm = 0; sm < requests_.size(); ++sm) {
    const auto& queue = requests_[sm];
    if (queue.empty()) continue;
    Credits& room = room_[target_[sm]];
    if (room.available(now)) {
      next = std::min(next, queue.next_time());
    } else {
      blocked_ |= std::uint32_t{1} << target_[sm];
      next = std::min(next, room.next_return());
    }
  }
  return next;
}

Femtoseconds MemoryUnit::advance(Femtoseconds now) {
  send_response(now);
  send_request(now);
  return std::min(next_request(now), responses_.next_time());
}

bool MemoryUnit::idle() const {
  return responses_.empty() && std::all_of(requests_.begin(), requests_.end(), [](const auto& q) { return q.empty(); });
}

void MemoryUnit::describe_pending(std::vector<std::string>& lines) const {
  for (std::size_t sm = 0; sm < requests_.size(); ++sm) {
    if (requests_[sm].empty()) continue;
    lines.push_back(std::to_string(requests_[sm].size()) + " requests of sm" + std::to_string(sm) +
                    ", the first for partition " + std::to_string(target_[sm]));
  }
  if (!responses_.empty()) lines.push_back(std::to_string(responses_.size()) + " responses for its SMs");
}

}  // namespace teslasim
