// SPDX-License-Identifier: Apache-2.0
#include "memory/dram/dram_channel.h"

#include <algorithm>
#include <span>

#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {

constexpr std::size_t index_of(DramChannel::Direction direction) {
  return static_cast<std::size_t>(direction);
}

}  // namespace

DramChannel::DramChannel(const MemoryPath& path)
    : timing_(path.dram.timing, path.bytes_per_memory_cycle, path.plan.memory_period) {
  SIM_CHECK(timing_.banks <= most_banks, "the number of banks was not checked");
  reset();
}

void DramChannel::reset() {
  banks_.fill(Bank{});
  column_at_ = {};
  activated_ = {};
  oldest_activate_ = 0;
  activate_at_ = 0;
  train_start_ = train_end_ = 0;
  direction_ = Direction::read;
  rank_ = 0;
  refresh_due_ = timing_.refresh_interval;
  last_refresh_due_ = last_refresh_end_ = 0;
  activates_ = refreshes_ = busy_cycles_ = turns_ = 0;
}

/// All that is due up to `now`. The rows close and the refresh starts at the earliest legal cycles after it was due,
/// whenever this is called: no command came in between.
bool DramChannel::refresh(MemoryCycle now) {
  const std::span<Bank> banks(banks_.data(), timing_.banks);
  bool closed = false;
  while (refresh_due_ <= now) {
    MemoryCycle start = refresh_due_;
    bool any_open = false;
    for (const Bank& bank : banks) {
      if (bank.row == no_row) continue;
      any_open = true;
      start = greater(start, bank.precharge_at);
    }
    if (any_open) start += timing_.precharge;
    for (Bank& bank : banks) {
      if (bank.row == no_row) start = greater(start, bank.activate_at);
      bank.row = no_row;
    }
    last_refresh_due_ = refresh_due_;
    last_refresh_end_ = start + timing_.refresh;
    for (Bank& bank : banks) bank.activate_at = last_refresh_end_;
    closed = closed || any_open;
    ++refreshes_;
    refresh_due_ += timing_.refresh_interval;
    // With every row closed the refreshes in between change nothing that is still seen.
    if (now >= refresh_due_ + 2 * timing_.refresh_interval) {
      const std::uint64_t skipped = (now - refresh_due_) / timing_.refresh_interval - 1;
      refreshes_ += skipped;
      refresh_due_ += skipped * timing_.refresh_interval;
    }
  }
  return closed;
}

void DramChannel::activate(unsigned bank, std::uint32_t row, MemoryCycle now) {
  SIM_CHECK(banks_[bank].row == no_row && now >= earliest_activate(bank), "an activate command came too early");
  Bank& state = banks_[bank];
  state.row = row;
  state.column_at = {now + timing_.activate_to_read, now + timing_.activate_to_write};
  state.precharge_at = now + timing_.activate_to_precharge;
  state.activate_at = now + timing_.activate_to_activate;
  activate_at_ = now + timing_.activate_gap;
  activated_[oldest_activate_] = now + 1;
  oldest_activate_ = oldest_activate_ + 1 == activated_.size() ? 0 : oldest_activate_ + 1;
  ++activates_;
}

void DramChannel::precharge(unsigned bank, MemoryCycle now) {
  Bank& state = banks_[bank];
  SIM_CHECK(state.row != no_row && now >= state.precharge_at, "a precharge command came too early");
  state.row = no_row;
  state.activate_at = greater(state.activate_at, now + timing_.precharge);
}

MemoryCycle DramChannel::access(unsigned bank, Direction direction, unsigned bursts, MemoryCycle now) {
  Bank& state = banks_[bank];
  SIM_CHECK(state.row != no_row && now >= earliest_column(bank, direction), "a column command came too early");
  now += rank_gap(bank, direction);
  rank_ = rank_of(bank);
  const MemoryCycle data = bursts * timing_.burst;
  const MemoryCycle last_command = now + data - timing_.burst;
  turns_ += direction != direction_ ? 1U : 0U;
  direction_ = direction;
  busy_cycles_ += data.count();
  train_start_ = now;
  train_end_ = last_command + 1;
  state.last_use = now + data;
  MemoryCycle end = 0;
  if (direction == Direction::read) {
    end = now + timing_.cas + data;
    column_at_[index_of(Direction::read)] = now + data;
    const MemoryCycle turned = end + timing_.bus_turn;
    const MemoryCycle write = turned > timing_.write_latency ? turned - timing_.write_latency : 0;
    column_at_[index_of(Direction::write)] = greater(now + data, write);
    state.precharge_at = greater(state.precharge_at, last_command + timing_.read_to_precharge);
  } else {
    end = now + timing_.write_latency + data;
    column_at_[index_of(Direction::write)] = now + data;
    column_at_[index_of(Direction::read)] = end + timing_.write_to_read;
    state.precharge_at = greater(state.precharge_at, end + timing_.write_recovery);
  }
  return end;
}

}  // namespace teslasim
