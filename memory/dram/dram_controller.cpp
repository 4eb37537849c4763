// SPDX-License-Identifier: Apache-2.0
#include "memory/dram/dram_controller.h"

#include <algorithm>
#include <bit>

namespace teslasim {

DramController::DramController(const MemoryPath& path, DramChannel& channel)
    : channel_(channel),
      table_({path.dram.queue, path.dram.write_queue}, path.dram.write_piece_bytes),
      drain_start_(std::min(path.dram.write_drain_start, path.dram.write_queue)),
      drain_stop_(std::min(path.dram.write_drain_stop, drain_start_ - 1)),
      open_rows_first_(path.dram.scheduler == "fr_fcfs"),
      xor_banks_(path.dram.bank_mapping == "xor"),
      row_hit_cap_(path.dram.row_hit_cap == 0 ? ~0U : path.dram.row_hit_cap),
      row_hold_(cycles_of_ns(path.dram.row_hold_ns, path.plan.memory_period)),
      turn_hold_(cycles_of_ns(path.dram.turn_hold_ns, path.plan.memory_period)),
      starvation_(cycles_of_ns(path.dram.starvation_ns, path.plan.memory_period)),
      map_(path.map),
      row_shift_(static_cast<unsigned>(std::countr_zero(path.dram.timing.row_bytes))),
      bank_shift_(static_cast<unsigned>(std::countr_zero(path.dram.timing.banks))) {
  reset();
}

void DramController::reset() {
  channel_.reset();
  table_.reset();
  for (auto& banks : resting_until_) banks.fill(never);
  waiting_ = {};
  served_of_row_.fill(0);
  direction_ = Direction::read;
  last_read_ = last_data_ = 0;
  wanted_ = never;
  row_hits_ = row_misses_ = 0;
  told_refresh_ = 0;
  bus_.reset();
}

void DramController::push(const MemoryTransaction& transaction, Direction direction, std::uint32_t ticket,
                          MemoryCycle now) {
  if (empty()) {
    bus_.claim(BusUse::idle, now);
  } else if (used(Direction::read) == 0 && direction_ == Direction::read) {
    bus_.claim(BusUse::held, now);
  }
  const Address local = map_.local_of(transaction.address) >> row_shift_;
  const std::uint32_t row = local >> bank_shift_;
  const unsigned bank = (xor_banks_ ? local ^ row : local) & (channel_.timing().banks - 1);
  const bool changed =
      table_.push(transaction, {row, ticket, static_cast<std::uint8_t>(bank)}, direction, channel_.open_row(bank), now);
  if (changed) disturb(direction, bank);
  if (changed || !keeps_direction()) want(now);
}

/// After the row of a bank has changed.
void DramController::refresh_hits(unsigned bank) {
  const std::uint32_t row = channel_.open_row(bank);
  for (const Direction direction : {Direction::read, Direction::write}) {
    table_.open_row(direction, bank, row);
    disturb(direction, bank);
  }
}

bool DramController::keeps_direction() const {
  const unsigned reads = used(Direction::read), writes = table_.pieces(Direction::write);
  if (direction_ == Direction::write) return writes > drain_stop_ || (writes != 0 && reads == 0);
  return writes == 0 || (writes < drain_start_ && reads != 0);
}

void DramController::choose_direction(MemoryCycle now) {
  const unsigned reads = used(Direction::read), writes = table_.pieces(Direction::write);
  if (direction_ == Direction::write) {
    if (writes == 0 || (reads != 0 && writes <= drain_stop_)) direction_ = Direction::read;
    return;
  }
  if (writes == 0) return;
  if (writes >= drain_start_) {
    direction_ = Direction::write;
  } else if (reads == 0) {
    if (now >= last_read_ + turn_hold_) {
      bus_.claim(BusUse::held, now);
      direction_ = Direction::write;
    } else {
      want(last_read_ + turn_hold_);
    }
  }
}

/// Banks for which a command of the present direction may be possible; the others rest.
std::uint32_t DramController::banks_to_consider(MemoryCycle now) {
  const MemoryCycle* const resting = resting_until_[index(direction_)].data();
  std::uint32_t banks = 0;
  MemoryCycle soonest = never;
  // Without further branches, because which banks are due is as good as random.
  for (std::uint32_t left = waiting_[index(direction_)]; left != 0; left &= left - 1) {
    const auto bank = static_cast<unsigned>(std::countr_zero(left));
    const MemoryCycle until = resting[bank];
    banks |= static_cast<std::uint32_t>(until <= now) << bank;
    soonest = lesser(soonest, until <= now ? MemoryCycle(never) : until);
  }
  want(soonest);
  return banks;
}

void DramController::rest(unsigned bank, MemoryCycle until) {
  resting_until_[index(direction_)][bank] = until;
  want(until);
}

[[gnu::always_inline]] inline void DramController::consider_bank(unsigned bank, MemoryCycle now, Choice& column,
                                                                 Choice& row) {
  const List& waiting = table_.list(direction_, bank);
  const Entry& oldest = table_[waiting.head];
  bool use_open_row = waiting.hit != none;
  MemoryCycle change = never;
  if (use_open_row && waiting.hit != waiting.head) {
    if (!open_rows_first_ || served_of_row_[bank] >= row_hit_cap_ || now > oldest.arrival + starvation_) {
      use_open_row = false;
    } else {
      change = oldest.arrival + starvation_ + 1;
    }
  }
  if (use_open_row) {
    const MemoryCycle earliest = channel_.earliest_column(bank, direction_);
    if (earliest > now) return rest(bank, lesser(earliest, change));
    const std::uint64_t number = table_[waiting.hit].number;
    column.change = lesser(column.change, change);
    if (number < column.number) {
      column.number = number;
      column.entry = waiting.hit;
    }
    return;
  }
  MemoryCycle earliest = 0;
  if (channel_.open_row(bank) == DramChannel::no_row) {
    earliest = channel_.earliest_activate(bank);
  } else {
    earliest = greater(channel_.earliest_precharge(bank), channel_.last_use(bank) + row_hold_);
  }
  if (earliest > now) return rest(bank, earliest);
  if (oldest.number < row.number) {
    row.number = oldest.number;
    row.entry = waiting.head;
  }
}

void DramController::tell(PipelineEvents::DramCommandKind kind, const Entry& entry, MemoryCycle now,
                          MemoryCycle cycles) const {
  observer_->command(
      {static_cast<std::uint8_t>(partition_), entry.bank, kind, entry.row, entry.transaction.bytes, now, now + cycles});
}

/// Reports the last refresh to the observer, once: all banks rest.
void DramController::tell_refresh() {
  const MemoryCycle end = channel_.last_refresh_end();
  if (end == told_refresh_) return;
  told_refresh_ = end;
  for (unsigned bank = 0; bank < channel_.timing().banks; ++bank) {
    observer_->command({static_cast<std::uint8_t>(partition_), static_cast<std::uint8_t>(bank),
                        PipelineEvents::DramCommandKind::refresh, 0, 0, end - channel_.timing().refresh, end});
  }
}

void DramController::prepare(Entry& entry, MemoryCycle now) {
  if (channel_.open_row(entry.bank) == DramChannel::no_row) {
    channel_.activate(entry.bank, entry.row, now);
    served_of_row_[entry.bank] = 0;
    if (observer_ != nullptr)
      tell(PipelineEvents::DramCommandKind::activate, entry, now, channel_.timing().activate_to_read);
    entry.opened_row = true;
  } else {
    channel_.precharge(entry.bank, now);
    if (observer_ != nullptr) tell(PipelineEvents::DramCommandKind::precharge, entry, now, channel_.timing().precharge);
  }
  refresh_hits(entry.bank);
}

/// The cycles between the last access and this one.
void DramController::claim_gap(MemoryCycle now) {
  if (channel_.direction() != direction_) {
    bus_.claim(BusUse::turn, lesser(now, channel_.bus_ready(direction_)));
  }
  bus_.claim_between(BusUse::refresh, lesser(now, channel_.last_refresh_due()),
                     lesser(now, channel_.last_refresh_end()), BusUse::row);
  bus_.claim(BusUse::row, now);
}

void DramController::serve(std::uint16_t chosen, MemoryCycle now, Served& served) {
  const Entry& entry = table_[chosen];
  const unsigned burst_bytes = channel_.timing().burst_bytes;
  const unsigned bursts = (entry.transaction.bytes + burst_bytes - 1) / burst_bytes;
  claim_gap(now);
  const MemoryCycle begin = now + channel_.rank_gap(entry.bank, direction_);
  bus_.claim(BusUse::turn, begin);
  bus_.claim(direction_ == Direction::read ? BusUse::read : BusUse::write, begin + bursts * channel_.timing().burst);
  const MemoryCycle end = channel_.access(entry.bank, direction_, bursts, now);
  if (observer_ != nullptr) {
    using Kind = PipelineEvents::DramCommandKind;
    tell(direction_ == Direction::read ? Kind::read : Kind::write, entry, now, bursts * channel_.timing().burst);
  }
  ++(entry.opened_row ? row_misses_ : row_hits_);
  ++served_of_row_[entry.bank];
  last_data_ = greater(last_data_, end);
  if (direction_ == Direction::read) last_read_ = now;
  served.transaction = entry.transaction;
  served.ticket = entry.ticket;
  served.arrival = entry.arrival;
  served.command = now;
  served.data_end = end;
  served.row_hits = entry.opened_row ? 0 : 1;

  const unsigned bank = entry.bank;
  table_.remove(direction_, chosen, now);
  served.depth_cycles = table_.depth_cycles();
  disturb(direction_, bank);
}

/// After a column command of `bank`. The data bus is taken: no other bank, of those that could have been chosen, has a
/// chance before it is free or, at `change`, its oldest transaction has waited too long. `bank` itself has just been
/// used and only learns until when it rests.
void DramController::wait_for_bus(unsigned bank, MemoryCycle now, MemoryCycle change) {
  want(greater(now + 1, lesser(change, channel_.bus_ready(direction_))));
  Choice column, row;
  if (table_.list(direction_, bank).head != none) consider_bank(bank, now, column, row);
}

bool DramController::step(MemoryCycle now, Served& served) {
  wanted_ = never;
  if (empty()) return false;
  if (channel_.refresh_up_to(now)) {
    for (unsigned bank = 0; bank < channel_.timing().banks; ++bank) refresh_hits(bank);
  }
  if (observer_ != nullptr) tell_refresh();
  want(channel_.refresh_due());
  choose_direction(now);
  const MemoryCycle slot = channel_.command_slot(now);
  if (slot > now) {
    wanted_ = lesser(wanted_, slot);
    return false;
  }
  Choice column, row;
  for (std::uint32_t left = banks_to_consider(now); left != 0; left &= left - 1) {
    consider_bank(static_cast<unsigned>(std::countr_zero(left)), now, column, row);
  }
  if (column.entry != none) {
    const unsigned bank = table_[column.entry].bank;
    serve(column.entry, now, served);
    if (row.entry == none && keeps_direction()) {
      wait_for_bus(bank, now, column.change);
    } else {
      want(now + 1);
    }
    return true;
  }
  if (row.entry != none) {
    prepare(table_[row.entry], now);
    want(now + 1);
  }
  return false;
}

void DramController::add_to(PartitionStatistics& statistics, MemoryCycle cycles) const {
  statistics.busy_cycles += channel_.busy_cycles();
  statistics.row_hits += row_hits_;
  statistics.row_misses += row_misses_;
  statistics.activates += channel_.activates();
  statistics.refreshes += channel_.refreshes();
  statistics.turns += channel_.turns();
  statistics.queue_cycles += table_.depth_cycles();
  statistics.queue_deepest = std::max<std::uint64_t>(statistics.queue_deepest, table_.deepest());
  const BusCycles bus = bus_.closed(cycles);
  for (std::size_t i = 0; i < bus.size(); ++i) statistics.bus[i] += bus[i];
}

}  // namespace teslasim
