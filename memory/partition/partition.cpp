// SPDX-License-Identifier: Apache-2.0
#include "memory/partition/partition.h"

#include "memory/crossbar/crossbar_network.h"
#include "memory/image/memory_access.h"
#include "sim/base/clock_time.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {

constexpr std::uint32_t no_ticket = ~std::uint32_t{0};
/// Replies that may wait for earlier ones, in terms of the controller's reads.
constexpr std::size_t waiting_replies_per_read = 4;

/// An atomic is a read until its result is on the way, as a write of its own.
MemoryDirection direction_of(const MemoryTransaction& transaction) {
  return transaction.write && !transaction.atomic ? MemoryDirection::write : MemoryDirection::read;
}

}  // namespace

Partition::Partition(const MemoryPath& path, unsigned number, MemoryBackEnd& memory, TextureL2& textures)
    : path_(path),
      number_(number),
      period_(path.plan.memory_period),
      uniform_latency_((path.latency.dram + path.plan.memory_period - 1) / path.plan.memory_period),
      texture_hit_latency_(femtoseconds_of_ns(path.texture_l2.hit_ns)),
      back_end_(memory),
      rop_(path.rop),
      textures_(textures),
      requests_(path.places.partition_requests),
      room_(path.clients(), Credits(path.places.crossbar_responses)),
      replies_(path.dram.reply_order == "arrival", std::size_t{path.dram.queue} * waiting_replies_per_read) {}

void Partition::connect(CreditReceiver& input_credits, TransactionReceiver& responses) {
  input_credits_ = &input_credits;
  responses_ = &responses;
}

void Partition::begin_launch(DeviceMemory& memory, CompletionReceiver* completions) {
  memory_ = &memory;
  completions_ = completions;
  back_end_.reset();
  used_ = {};
  rop_.reset();
  textures_.reset();
  texture_reads_ = texture_read_bytes_ = 0;
  requests_.clear();
  accept_at_ = never;
  for (auto& credits : room_) credits.reset();
  blocked_on_reply_ = false;
  replies_.reset();
  write_backs_.clear();
  reserved_writes_ = 0;
  stores_performed_ = 0;
  statistics_ = {};
  latency_ = {};
  told_depth_ = 0;
}

/// The memory, the texture cache and the queue of replies can take it: that changes only when something is taken or
/// served. An atomic keeps a place among the writes for its result, so that it can always be finished.
[[gnu::always_inline]] inline bool Partition::has_place(const MemoryTransaction& transaction) const {
  if (transaction.texture) {
    const unsigned places = path_.dram.queue - used(Direction::read);
    if (!textures_.can_take(transaction.address, places)) return false;
  }
  const bool reads = (!transaction.write || transaction.atomic) && !transaction.texture;
  if (reads && used(Direction::read) >= path_.dram.queue) return false;
  if (transaction.write || transaction.atomic) {
    if (used(Direction::write) + reserved_writes_ >= path_.dram.write_queue) return false;
  }
  return !transaction.response || replies_.has_room();
}

/// When the oldest request may be taken, at the edge after `now` at the earliest; `never`: something must be served
/// first.
inline Femtoseconds Partition::next_acceptance(Femtoseconds now) const {
  if (requests_.empty() || !has_place(requests_.front())) return never;
  return greater(requests_.next_time(), now + 1);
}

Femtoseconds Partition::receive(unsigned, const MemoryTransaction& transaction) {
  const bool first = requests_.empty();
  requests_.push(transaction);
  if (!first) return never;
  accept_at_ = has_place(transaction) ? transaction.when : never;
  return accept_at_;
}

Femtoseconds Partition::credit(unsigned tpc, Femtoseconds when) {
  room_[tpc].give_back(when);
  if (!blocked_on_reply_ || path_.tpc_of(requests_.front().sm) != tpc) return never;
  accept_at_ = lesser(accept_at_, when);
  return when;
}

void Partition::count(const MemoryTransaction& transaction, Direction direction) {
  if (direction == Direction::read) {
    ++statistics_.read_transactions;
    statistics_.read_bytes += transaction.bytes;
  } else {
    ++statistics_.write_transactions;
    statistics_.write_bytes += transaction.bytes;
  }
}

void Partition::access(const MemoryTransaction& transaction, Direction direction, std::uint32_t ticket,
                       MemoryCycle cycle) {
  count(transaction, direction);
  ++used_[static_cast<std::size_t>(direction)];
  back_end_.push(transaction, direction, ticket, cycle);
}

void Partition::take_effect(const MemoryTransaction& transaction, Femtoseconds now) {
  if (transaction.access == nullptr) return;  // a page walk
  perform(*transaction.access, transaction.lanes, *memory_,
          {transaction.address, std::uint64_t{transaction.address} + transaction.bytes});
  if (transaction.response) return;
  ++stores_performed_;
  if (completions_ == nullptr || transaction.atomic) return;
  MemoryTransaction done = transaction;
  done.when = now;
  completions_->completed(done);
}

Femtoseconds Partition::accept(Femtoseconds now, MemoryCycle cycle) {
  if (!requests_.ready(now)) return requests_.next_time();
  MemoryTransaction& transaction = requests_.front();
  const Credits& room = room_[path_.tpc_of(transaction.sm)];
  blocked_on_reply_ = transaction.response && !room.available(now);
  if (blocked_on_reply_) return room.next_return();
  // The line of a texture that was there when a place was looked for may have been evicted by another one.
  if (transaction.texture && !has_place(transaction)) return never;
  take_effect(transaction, now);
  std::uint32_t ticket = no_ticket;
  if (transaction.response) {
    room_[path_.tpc_of(transaction.sm)].take();
    ticket = replies_.open();
    if (transaction.measured) latency_.add(MemoryStage::noc_req, now - transaction.mark);
    transaction.mark = now;
  }
  if (transaction.texture) {
    take_line_request(transaction, ticket, now, cycle);
  } else {
    if (transaction.atomic) ++reserved_writes_;
    access(transaction, direction_of(transaction), ticket, cycle);
  }
  requests_.pop();
  input_credits_->credit(number_, now + path_.latency.partition_to_crossbar);
  return next_acceptance(now);
}

void Partition::reply(Served& served, MemoryCycle ready) {
  const MemoryCycle leave = greater(ready, served.arrival + uniform_latency_);
  const Femtoseconds command = served.command * period_;
  MemoryTransaction& transaction = served.transaction;
  if (transaction.measured) latency_.add(MemoryStage::dram_q, command - transaction.mark);
  transaction.mark = command;
  replies_.complete(served.ticket, transaction, leave * period_,
                    [this](MemoryTransaction& reply, Femtoseconds time) { return send_reply(reply, time); });
}

Femtoseconds Partition::send_reply(MemoryTransaction& reply, Femtoseconds time) {
  if (reply.measured) latency_.add(MemoryStage::dram_svc, time - reply.mark);
  reply.mark = time;
  reply.when = time + path_.latency.partition_to_crossbar;
  responses_->receive(CrossbarNetwork::port(path_.tpc_of(reply.sm), number_, path_.partitions()), reply);
  return time + path_.port_cycles(reply.bytes) * path_.plan.core_period;
}

/// A line of the texture cache: answered from the second level, or after it was read from memory.
void Partition::take_line_request(const MemoryTransaction& transaction, std::uint32_t ticket, Femtoseconds now,
                                  MemoryCycle cycle) {
  switch (textures_.look_up({transaction, cycle, ticket})) {
    case TextureL2::Outcome::hit:
      replies_.complete(ticket, transaction, now + texture_hit_latency_,
                        [this](MemoryTransaction& reply, Femtoseconds time) { return send_reply(reply, time); });
      return;
    case TextureL2::Outcome::waits:
      return;
    case TextureL2::Outcome::reads:
      break;
  }
  for (unsigned i = 0; i < textures_.reads(); ++i) {
    const MemoryTransaction read = textures_.read(transaction.address, i);
    ++texture_reads_;
    texture_read_bytes_ += read.bytes;
    access(read, Direction::read, no_ticket, cycle);
  }
}

void Partition::finish_line(const Served& served) {
  textures_.served(served.transaction, [this, &served](const TextureL2::Waiter& waiter) {
    const MemoryCycle leave = greater(served.data_end, waiter.arrival + uniform_latency_);
    replies_.complete(waiter.ticket, waiter.transaction, leave * period_,
                      [this](MemoryTransaction& reply, Femtoseconds time) { return send_reply(reply, time); });
  });
}

void Partition::finish(Served& served) {
  if (served.transaction.texture) return finish_line(served);
  if (!served.transaction.atomic) {
    if (served.transaction.response) reply(served, served.data_end);
    return;
  }
  const MemoryTransaction& transaction = served.transaction;
  const MemoryCycle done = rop_.operate(*transaction.access, transaction.lanes, served.data_end);
  write_backs_.push({done, transaction});
  if (transaction.response) {
    reply(served, done);
  } else if (completions_ != nullptr) {
    completions_->completed(transaction);
  }
}

void Partition::tell(const Served& served, Femtoseconds now) {
  const MemoryTransaction& transaction = served.transaction;
  observer_->served({number_, transaction.bytes, direction_of(transaction) == Direction::write, served.row_hits,
                     served.depth_cycles - told_depth_},
                    now);
  told_depth_ = served.depth_cycles;
}

/// Results of atomics that are done go to memory.
void Partition::write_back(MemoryCycle cycle) {
  while (!write_backs_.empty() && write_backs_.front().ready <= cycle) {
    MemoryTransaction result = write_backs_.front().transaction;
    write_backs_.pop();
    result.write = true;
    result.atomic = result.response = false;
    result.access = nullptr;
    --reserved_writes_;
    access(result, Direction::write, no_ticket, cycle);
  }
}

Femtoseconds Partition::advance(Femtoseconds now) {
  const MemoryCycle cycle = now / period_;
  if (!write_backs_.empty()) write_back(cycle);
  if (accept_at_ <= now) accept_at_ = accept(now, cycle);
  if (back_end_.wanted() <= cycle && back_end_.step(cycle, served_)) {
    --used_[static_cast<std::size_t>(direction_of(served_.transaction))];
    if (observer_ != nullptr) tell(served_, now);
    finish(served_);
    // A place has become free.
    if (accept_at_ == never && !blocked_on_reply_) accept_at_ = next_acceptance(now);
  }
  const MemoryCycle next = back_end_.wanted();
  Femtoseconds wanted = next == never ? accept_at_ : lesser(accept_at_, next * period_);
  if (!write_backs_.empty()) wanted = lesser(wanted, write_backs_.front().ready * period_);
  return wanted;
}

PartitionStatistics Partition::statistics(Femtoseconds duration) const {
  PartitionStatistics statistics = statistics_;
  statistics.atomic_operations = rop_.operations();
  statistics.atomic_cycles = rop_.busy_cycles().count();
  back_end_.add_to(statistics, (duration + period_ - 1) / period_);
  return statistics;
}

TextureStatistics Partition::texture_statistics() const {
  TextureStatistics statistics;
  statistics.l2 = textures_.statistics();
  statistics.reads = texture_reads_;
  statistics.read_bytes = texture_read_bytes_;
  return statistics;
}

Femtoseconds Partition::last_completion() const {
  return greater(back_end_.last_data() * period_, replies_.last());
}

void Partition::describe_pending(std::vector<std::string>& lines) const {
  if (in_memory() != 0) lines.push_back(std::to_string(in_memory()) + " transactions in the memory controller");
  if (requests_.empty()) return;
  lines.push_back(std::to_string(requests_.size()) + " requests, the first from SM " +
                  std::to_string(requests_.front().sm) + (blocked_on_reply_ ? ", with no room for its response" : ""));
}

}  // namespace teslasim
