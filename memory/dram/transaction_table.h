// SPDX-License-Identifier: Apache-2.0
// The transactions that wait in a memory controller.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "memory/dram/dram_channel.h"
#include "memory/transaction.h"
#include "sim/base/inbox.h"
#include "sim/base/types.h"

namespace teslasim {

/// The bounded table in which reads and writes wait, in one list per bank and direction, oldest first. Each
/// list also knows its oldest transaction to the row that is open. Counts how full the table is. All times are cycles
/// of the memory clock.
class TransactionTable {
 public:
  using Direction = DramChannel::Direction;
  static constexpr std::uint16_t none = 0xffff;
  static constexpr unsigned largest_piece = 128;  ///< bytes of the largest transaction

  /// Aligned as the lists are: places are then found by a shift.
  struct alignas(2 * host_line) Entry {
    MemoryTransaction transaction;
    MemoryCycle arrival = 0;
    std::uint64_t number = 0;  ///< order of arrival
    std::uint32_t row = 0;
    std::uint32_t ticket = 0;
    std::uint16_t next = none;
    std::uint8_t bank = 0;
    bool opened_row = false;  ///< an activate was issued for this one
  };
  /// Where an entry belongs, and whose it is.
  struct Place {
    std::uint32_t row = 0;
    std::uint32_t ticket = 0;
    std::uint8_t bank = 0;
  };
  struct alignas(std::uint64_t) List {
    std::uint16_t head = none;
    std::uint16_t tail = none;
    std::uint16_t hit = none;  ///< the oldest entry to the open row
  };

  /// Places for reads and for writes. `piece_bytes`: how `pieces` counts, a power of two.
  explicit TransactionTable(std::array<unsigned, 2> places, unsigned piece_bytes = largest_piece)
      : places_(places),
        piece_shift_(static_cast<unsigned>(std::countr_zero(piece_bytes))),
        entries_(places[0] + places[1]) {
    reset();
  }
  void reset();

  [[nodiscard]] static constexpr std::size_t index(Direction direction) { return static_cast<std::size_t>(direction); }
  [[nodiscard]] unsigned used(Direction direction) const { return used_[index(direction)]; }
  /// What waits, in pieces: a transaction counts one for each `piece_bytes` of its bytes, at least one.
  [[nodiscard]] unsigned pieces(Direction direction) const { return pieces_[index(direction)]; }
  [[nodiscard]] bool has_room(Direction direction) const { return used(direction) < places_[index(direction)]; }
  [[nodiscard]] bool empty() const { return used_[0] + used_[1] == 0; }
  [[nodiscard]] const List& list(Direction direction, unsigned bank) const { return lists_[index(direction)][bank]; }
  [[nodiscard]] Entry& operator[](std::uint16_t place) { return entries_[place]; }
  [[nodiscard]] const Entry& operator[](std::uint16_t place) const { return entries_[place]; }

  /// Adds an entry. True when the head or the hit of its list changes.
  bool push(const MemoryTransaction& transaction, const Place& place, Direction direction, std::uint32_t open_row,
            MemoryCycle now);
  /// Frees the place of a transaction of this list.
  void remove(Direction direction, std::uint16_t place, MemoryCycle now);
  /// The bank's open row is now `row`, or none.
  void open_row(Direction direction, unsigned bank, std::uint32_t row) {
    List& waiting = lists_[index(direction)][bank];
    waiting.hit = row == DramChannel::no_row ? none : find_row(waiting.head, row);
  }

  /// Transactions in the table, summed over cycles up to the last arrival or departure; and their maximum.
  [[nodiscard]] std::uint64_t depth_cycles() const { return depth_cycles_; }
  [[nodiscard]] unsigned deepest() const { return deepest_; }

 private:
  [[nodiscard]] std::uint16_t find_row(std::uint16_t from, std::uint32_t row) const {
    while (from != none && entries_[from].row != row) from = entries_[from].next;
    return from;
  }
  [[nodiscard]] unsigned pieces_of(const MemoryTransaction& transaction) const {
    return std::max(1U, unsigned{transaction.bytes} >> piece_shift_);
  }
  void count_depth(MemoryCycle now) {
    depth_cycles_ += (used_[0] + used_[1]) * (now - depth_since_).count();
    depth_since_ = now;
  }

  std::array<unsigned, 2> places_;
  unsigned piece_shift_;
  std::vector<Entry> entries_;
  std::vector<std::uint16_t> free_;
  std::array<std::array<List, most_banks>, 2> lists_;  ///< by direction and bank
  std::array<unsigned, 2> used_{};
  std::array<unsigned, 2> pieces_{};
  std::uint64_t next_number_ = 0;
  MemoryCycle depth_since_ = 0;
  std::uint64_t depth_cycles_ = 0;
  unsigned deepest_ = 0;
};

}  // namespace teslasim
