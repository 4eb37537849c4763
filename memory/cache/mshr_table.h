// SPDX-License-Identifier: Apache-2.0
// Lines under way and who waits for them (miss status holding registers).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/types.h"

namespace teslasim {

/// Stands for the table that merges misses on one line: one entry per line under way, with the waiters in the order in
/// which they came. Bounded in both; a request that finds no place is refused and must come again. `Waiter` is a small
/// value. Allocates only when constructed. Not modelled: the time of the look-up.
template <class Waiter>
class MshrTable {
 public:
  enum class Outcome : std::uint8_t {
    started,  ///< a new entry: the line must be asked for
    merged,   ///< the line is under way already
    refused,  ///< no place, neither here nor for the waiter
  };

  /// `entries` lines at most, `waiters` at most over all of them.
  MshrTable(unsigned entries, unsigned waiters) : entries_(entries), nodes_(waiters) {
    SIM_CHECK(entries > 0 && waiters > 0, "a table of outstanding lines needs places");
    clear();
  }

  Outcome add(Address line, const Waiter& waiter) {
    if (free_node_ == none) return Outcome::refused;
    Entry* entry = find(line);
    const bool merged = entry != nullptr;
    if (!merged) {
      if (used_ == entries_.size()) return Outcome::refused;
      entry = &entries_[used_++];
      *entry = {line, none, none};
    }
    append(*entry, waiter);
    return merged ? Outcome::merged : Outcome::started;
  }

  [[nodiscard]] bool contains(Address line) const {
    for (std::size_t i = 0; i < used_; ++i) {
      if (entries_[i].line == line) return true;
    }
    return false;
  }

  /// The line has come: `deliver(waiter)` for each, oldest first, and the entry is free again. Returns how many waited.
  /// `deliver` must not call the table.
  template <class Deliver>
  unsigned release(Address line, Deliver&& deliver) {
    Entry* entry = find(line);
    SIM_CHECK(entry != nullptr, "a line came that nobody waits for");
    unsigned count = 0;
    for (std::uint32_t node = entry->first; node != none; ++count) {
      const std::uint32_t next = nodes_[node].next;
      deliver(nodes_[node].waiter);
      nodes_[node].next = free_node_;
      free_node_ = node;
      node = next;
    }
    waiting_ -= count;
    *entry = entries_[--used_];
    return count;
  }

  [[nodiscard]] std::size_t lines() const { return used_; }
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  [[nodiscard]] bool empty() const { return used_ == 0; }

  void clear() {
    used_ = 0;
    waiting_ = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].next = static_cast<std::uint32_t>(i + 1);
    nodes_.back().next = none;
    free_node_ = 0;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Entry {
    Address line = 0;
    std::uint32_t first = none, last = none;
  };
  struct Node {
    Waiter waiter{};
    std::uint32_t next = none;
  };

  Entry* find(Address line) {
    for (std::size_t i = 0; i < used_; ++i) {
      if (entries_[i].line == line) return &entries_[i];
    }
    return nullptr;
  }
  void append(Entry& entry, const Waiter& waiter) {
    const std::uint32_t node = free_node_;
    free_node_ = nodes_[node].next;
    nodes_[node] = {waiter, none};
    (entry.last == none ? entry.first : nodes_[entry.last].next) = node;
    entry.last = node;
    ++waiting_;
  }

  std::vector<Entry> entries_;  ///< the first `used_` are in use, in no order
  std::vector<Node> nodes_;
  std::size_t used_ = 0;
  std::size_t waiting_ = 0;
  std::uint32_t free_node_ = none;
};

}  // namespace teslasim
