// SPDX-License-Identifier: Apache-2.0
#include "memory/dram/transaction_table.h"

#include "sim/base/diagnostic.h"

namespace teslasim {

void TransactionTable::reset() {
  free_.clear();
  for (std::size_t i = entries_.size(); i-- > 0;) free_.push_back(static_cast<std::uint16_t>(i));
  for (auto& lists : lists_) lists.fill(List{});
  used_ = {};
  pieces_ = {};
  next_number_ = 0;
  depth_since_ = 0;
  depth_cycles_ = 0;
  deepest_ = 0;
}

bool TransactionTable::push(const MemoryTransaction& transaction, const Place& place, Direction direction,
                            std::uint32_t open_row, MemoryCycle now) {
  SIM_CHECK(has_room(direction), "the table of the memory controller overflowed");
  count_depth(now);
  const std::uint16_t number = free_.back();
  free_.pop_back();
  List& waiting = lists_[index(direction)][place.bank];
  const bool hit = waiting.hit == none && open_row == place.row;
  const bool first = waiting.head == none;
  entries_[number] = {transaction, now, next_number_++, place.row, place.ticket, none, place.bank, false};
  if (hit) waiting.hit = number;
  (first ? waiting.head : entries_[waiting.tail].next) = number;
  waiting.tail = number;
  ++used_[index(direction)];
  pieces_[index(direction)] += pieces_of(transaction);
  deepest_ = std::max(deepest_, used_[0] + used_[1]);
  return hit || first;
}

void TransactionTable::remove(Direction direction, std::uint16_t place, MemoryCycle now) {
  count_depth(now);
  const Entry& entry = entries_[place];
  List& waiting = lists_[index(direction)][entry.bank];
  if (waiting.head == place) {
    waiting.head = entry.next;
  } else {
    std::uint16_t before = waiting.head;
    while (entries_[before].next != place) before = entries_[before].next;
    entries_[before].next = entry.next;
    if (waiting.tail == place) waiting.tail = before;
  }
  waiting.hit = find_row(entry.next, entry.row);
  free_.push_back(place);
  --used_[index(direction)];
  pieces_[index(direction)] -= pieces_of(entry.transaction);
}

}  // namespace teslasim
