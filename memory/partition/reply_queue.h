// SPDX-License-Identifier: Apache-2.0
// The order in which replies leave a partition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/transaction.h"
#include "sim/base/diagnostic.h"
#include "sim/base/types.h"

namespace teslasim {

/// Replies are announced in the order in which their requests came (`open` gives a ticket) and completed in any order.
/// With `by_arrival` a completed reply waits until all announced before it have left (Collange 2010, section 10.5:
/// replies kept in order so that warps stay together); without, it leaves at once. Either way, departure times never
/// decrease.
class ReplyQueue {
 public:
  ReplyQueue(bool by_arrival, std::size_t places) : by_arrival_(by_arrival) {
    std::size_t size = 2;
    while (size < places) size *= 2;
    slots_.resize(size);
  }
  void reset() {
    head_ = tail_ = 0;
    leaves_ = port_free_ = 0;
  }

  [[nodiscard]] std::uint32_t open() {
    SIM_CHECK(tail_ - head_ < slots_.size(), "more replies are open than the partition has places");
    if (head_ == tail_) head_ = tail_ = 0;  // the same few places stay in the host's cache
    slots_[tail_ & (slots_.size() - 1)].done = false;
    return tail_++;
  }

  /// The reply of `ticket` could leave at `ready`. Calls `leave(transaction, time)` for each reply that leaves now:
  /// this one and those that waited for it. `leave` may change it.
  template <typename Leave>
  void complete(std::uint32_t ticket, const MemoryTransaction& transaction, Femtoseconds ready, Leave leave) {
    Slot& slot = slots_[ticket & (slots_.size() - 1)];
    slot.done = true;
    slot.transaction = transaction;
    if (!by_arrival_) {
      leaves_ = ready > port_free_ ? ready : port_free_;
      port_free_ = leave(slot.transaction, leaves_);
      while (head_ != tail_ && slots_[head_ & (slots_.size() - 1)].done) ++head_;
      return;
    }
    slot.ready = ready;
    for (; head_ != tail_; ++head_) {
      Slot& first = slots_[head_ & (slots_.size() - 1)];
      if (!first.done) return;
      leaves_ = first.ready > port_free_ ? first.ready : port_free_;
      port_free_ = leave(first.transaction, leaves_);
    }
  }

  [[nodiscard]] bool has_room() const { return tail_ - head_ < slots_.size(); }
  [[nodiscard]] std::size_t open_replies() const { return tail_ - head_; }
  /// When the last one left.
  [[nodiscard]] Femtoseconds last() const { return leaves_; }

 private:
  struct Slot {
    MemoryTransaction transaction;
    Femtoseconds ready = 0;
    bool done = false;
  };
  bool by_arrival_;
  std::vector<Slot> slots_;
  std::uint32_t head_ = 0, tail_ = 0;
  Femtoseconds leaves_ = 0, port_free_ = 0;
};

}  // namespace teslasim
