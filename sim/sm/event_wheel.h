// SPDX-License-Identifier: Apache-2.0
// A calendar: what happens in which later cycle.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/types.h"

namespace teslasim {

/// A timing wheel: one bucket per cycle, `size` cycles ahead, with a bit per non-empty bucket so that the next event is
/// found without looking at empty cycles. Buckets are lists in one pool; nothing is allocated once the pool has grown
/// to the largest number of events ever pending.
template <class Event>
class EventWheel {
 public:
  /// `horizon` is the largest distance in cycles that `schedule` will ever see.
  explicit EventWheel(SmCycle horizon) {
    const std::uint64_t size = std::bit_ceil(std::max<std::uint64_t>(horizon.count() + 1, 64));
    mask_ = size - 1;
    buckets_.assign(size, Bucket{});
    occupied_.assign(size / 64, 0);
    nodes_.reserve(512);
  }

  /// In line everywhere: it is short, and called several times for each instruction.
  [[gnu::always_inline]] void schedule(SmCycle now, SmCycle when, const Event& event) {
    const std::uint64_t distance = (when - now).count();
    SIM_CHECK(distance - 1 < mask_, "an event lies outside the calendar");
    if (free_ == none) grow();
    const std::uint16_t node = free_;
    Node& taken = nodes_[node];
    free_ = taken.next;
    taken.event = event;
    taken.next = none;
    const std::uint64_t place = when.count() & mask_;
    Bucket& bucket = buckets_[place];
    if (bucket.first == none) {
      bucket.first = node;
      occupied_[place >> 6] |= std::uint64_t{1} << (place & 63);
    } else {
      nodes_[bucket.last].next = node;
    }
    bucket.last = node;
    ++pending_;
  }

  /// Calls `handle` for every event of cycle `now`, in the order of scheduling.
  template <typename Handler>
  void take(SmCycle now, Handler&& handle) {
    const std::uint64_t place = now.count() & mask_;
    std::uint16_t node = buckets_[place].first;
    if (node == none) return;
    buckets_[place].first = none;
    occupied_[place >> 6] &= ~(std::uint64_t{1} << (place & 63));
    while (node != none) {
      Node& taken = nodes_[node];
      const Event event = taken.event;
      const std::uint16_t following = std::exchange(taken.next, free_);
      free_ = node;
      --pending_;
      handle(event);
      node = following;
    }
  }

  /// The first cycle after `now` with an event, or `never`.
  [[nodiscard]] SmCycle next(SmCycle now) const {
    if (pending_ == 0) return never;
    const std::uint64_t start = (now.count() + 1) & mask_;
    std::uint64_t word = start >> 6;
    std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << (start & 63));
    for (std::uint64_t looked = 0; looked <= occupied_.size(); ++looked) {
      if (bits != 0) {
        const std::uint64_t bucket = (word << 6) + static_cast<std::uint64_t>(std::countr_zero(bits));
        return now + 1 + ((bucket - start) & mask_);
      }
      word = (word + 1) & (occupied_.size() - 1);
      bits = occupied_[word];
    }
    return never;
  }

  [[nodiscard]] bool empty() const { return pending_ == 0; }

  void clear() {
    std::fill(buckets_.begin(), buckets_.end(), Bucket{});
    std::fill(occupied_.begin(), occupied_.end(), 0);
    nodes_.clear();
    free_ = none;
    pending_ = 0;
  }

 private:
  static constexpr std::uint16_t none = 0xffff;
  struct Node {
    [[no_unique_address]] Event event{};  ///< `next` lies in its padding
    std::uint16_t next = none;
  };
  /// The list of one cycle.
  struct Bucket {
    std::uint16_t first = none;
    std::uint16_t last = none;
  };

  /// One more free node.
  [[gnu::noinline]] void grow() {
    SIM_CHECK(nodes_.size() < none, "too many events are pending");
    nodes_.emplace_back();
    free_ = static_cast<std::uint16_t>(nodes_.size() - 1);
  }

  std::uint64_t mask_ = 0;
  std::vector<Bucket> buckets_;
  std::vector<std::uint64_t> occupied_;
  std::vector<Node> nodes_;
  std::uint16_t free_ = none;
  std::uint64_t pending_ = 0;
};

}  // namespace teslasim
