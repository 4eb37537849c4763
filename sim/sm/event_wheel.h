// SPDX-License-Identifier: Apache-2.0
// The SM's calendar: what happens in which later cycle (results written, instruction slots filled).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/types.h"

namespace teslasim {

/// One thing that will happen to a warp.
struct WarpEvent {
  enum class Kind : std::uint8_t {
    wake,                 ///< the warp's next instruction (or next pass) becomes available
    fetch,                ///< the warp's next instruction is looked up in the instruction cache
    registers_ready,      ///< the register results of `instruction` are written
    sfu_registers_ready,  ///< the same for one that could have gone to the MAD unit and went to the SFU
    flags_ready,          ///< the flag results of `instruction` are written
  };
  Kind kind = Kind::wake;
  std::uint8_t warp = 0;
  std::uint32_t instruction = 0;  ///< index of the instruction that caused it
};

/// A timing wheel: one bucket per cycle, `size` cycles ahead, with a bit per non-empty bucket so that the next event is
/// found without looking at empty cycles. Buckets are lists in one pool; nothing is allocated once the pool has grown
/// to the largest number of events ever pending.
class EventWheel {
 public:
  /// `horizon` is the largest distance in cycles that `schedule` will ever see.
  explicit EventWheel(Cycle horizon) {
    const std::uint64_t size = std::bit_ceil(std::max<std::uint64_t>(horizon + 1, 64));
    mask_ = size - 1;
    heads_.assign(size, none);
    tails_.assign(size, none);
    occupied_.assign(size / 64, 0);
    nodes_.reserve(512);
  }

  void schedule(Cycle now, Cycle when, const WarpEvent& event) {
    SIM_CHECK(when > now && when - now <= mask_, "an event lies outside the calendar");
    const std::uint32_t node = take_node();
    nodes_[node] = {event, none};
    const std::uint64_t bucket = when & mask_;
    if (heads_[bucket] == none) {
      heads_[bucket] = node;
      occupied_[bucket >> 6] |= std::uint64_t{1} << (bucket & 63);
    } else {
      nodes_[tails_[bucket]].next = node;
    }
    tails_[bucket] = node;
    ++pending_;
  }

  /// Calls `handle` for every event of cycle `now`, in the order of scheduling.
  template <typename Handler>
  void take(Cycle now, Handler&& handle) {
    const std::uint64_t bucket = now & mask_;
    std::uint32_t node = heads_[bucket];
    if (node == none) return;
    heads_[bucket] = none;
    occupied_[bucket >> 6] &= ~(std::uint64_t{1} << (bucket & 63));
    while (node != none) {
      const Node current = nodes_[node];
      nodes_[node].next = free_;
      free_ = node;
      --pending_;
      handle(current.event);
      node = current.next;
    }
  }

  /// The first cycle after `now` with an event, or `never`.
  [[nodiscard]] Cycle next(Cycle now) const {
    if (pending_ == 0) return never;
    const std::uint64_t start = (now + 1) & mask_;
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
    std::fill(heads_.begin(), heads_.end(), none);
    std::fill(occupied_.begin(), occupied_.end(), 0);
    nodes_.clear();
    free_ = none;
    pending_ = 0;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Node {
    WarpEvent event;
    std::uint32_t next = none;
  };

  std::uint32_t take_node() {
    if (free_ != none) {
      const std::uint32_t node = free_;
      free_ = nodes_[node].next;
      return node;
    }
    nodes_.push_back({});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  std::uint64_t mask_ = 0;
  std::vector<std::uint32_t> heads_, tails_;
  std::vector<std::uint64_t> occupied_;
  std::vector<Node> nodes_;
  std::uint32_t free_ = none;
  std::uint64_t pending_ = 0;
};

}  // namespace teslasim
