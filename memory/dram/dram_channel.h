// SPDX-License-Identifier: Apache-2.0
// The memory chips behind one partition: banks, rows, command and data bus.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "memory/dram/dram_timing.h"
#include "memory/dram/memory_back_end.h"
#include "memory/memory_path.h"
#include "sim/base/types.h"

namespace teslasim {

/// Stands for the GDDR3 or DDR2 chips of one partition, which share commands and form one data bus. Knows the state of
/// each bank, tells the earliest cycle for a command, and takes commands; one that comes too early is an
/// InternalError. All times are cycles of the memory clock. Bursts of one transaction follow each other without a gap
/// and leave free command slots between them. Ranks are sets of chips that share the bus: neighbouring banks lie in
/// different ranks, and a change of rank leaves a gap on the bus. The limits on activates hold for all ranks together.
/// Refresh needs no commands of the controller: when it is due, all rows are closed as soon as they may be, and the
/// banks rest for the refresh time. It is worked out when the channel is next used, so an idle channel costs nothing.
/// Not modelled: reads that follow writes to another rank earlier than within one, power-down, temperature-dependent
/// refresh, data mask, bus inversion.
/// Sources of the constraints: data sheets of 512 Mbit GDDR3 (Samsung K4J52324Q) and DDR2 (JESD79-2).
class DramChannel {
 public:
  using Direction = MemoryDirection;
  static constexpr std::uint32_t no_row = ~std::uint32_t{0};

  explicit DramChannel(const MemoryPath& path);
  void reset();

  /// Performs the refreshes that are due by `now`. Returns true when rows were closed. To be called before anything
  /// else at a new `now`.
  bool refresh_up_to(MemoryCycle now) { return now >= refresh_due_ && refresh(now); }
  /// When the next refresh is due; a command at or after it needs refresh_up_to first.
  [[nodiscard]] MemoryCycle refresh_due() const { return refresh_due_; }

  [[nodiscard]] std::uint32_t open_row(unsigned bank) const { return banks_[bank].row; }
  [[nodiscard]] MemoryCycle earliest_activate(unsigned bank) const {
    const MemoryCycle fourth = activated_[oldest_activate_];
    const MemoryCycle window = fourth == 0 ? 0 : fourth - 1 + timing_.four_activates;
    return greater(greater(banks_[bank].activate_at, activate_at_), window);
  }
  [[nodiscard]] MemoryCycle earliest_precharge(unsigned bank) const { return banks_[bank].precharge_at; }
  [[nodiscard]] MemoryCycle earliest_column(unsigned bank, Direction direction) const {
    const auto index = static_cast<std::size_t>(direction);
    return greater(banks_[bank].column_at[index], column_at_[index]);
  }
  /// The first cycle >= `now` whose command slot is not taken by the column commands of the running transaction.
  [[nodiscard]] MemoryCycle command_slot(MemoryCycle now) const {
    if (now >= train_end_) return now;
    if (timing_.burst == 1) return train_end_;
    return (now - train_start_) % timing_.burst == 0 ? now + 1 : now;
  }
  /// When the bank last moved data; 0 when never.
  [[nodiscard]] MemoryCycle last_use(unsigned bank) const { return banks_[bank].last_use; }
  /// Of the last column command.
  [[nodiscard]] Direction direction() const { return direction_; }
  /// The first column command of this direction that the data bus admits.
  [[nodiscard]] MemoryCycle bus_ready(Direction direction) const {
    return column_at_[static_cast<std::size_t>(direction)];
  }
  /// When the last refresh was due, and when the banks were ready after it.
  [[nodiscard]] MemoryCycle last_refresh_due() const { return last_refresh_due_; }
  [[nodiscard]] MemoryCycle last_refresh_end() const { return last_refresh_end_; }

  void activate(unsigned bank, std::uint32_t row, MemoryCycle now);
  void precharge(unsigned bank, MemoryCycle now);
  /// Cycles by which the data of a column command are late because another rank had the bus before.
  [[nodiscard]] MemoryCycle rank_gap(unsigned bank, Direction direction) const {
    return rank_of(bank) == rank_ ? MemoryCycle{0} : timing_.rank_switch[static_cast<std::size_t>(direction)];
  }
  /// Column commands for `bursts` bursts of the open row. Returns the cycle after the last data.
  MemoryCycle access(unsigned bank, Direction direction, unsigned bursts, MemoryCycle now);

  [[nodiscard]] const DramTiming& timing() const { return timing_; }
  [[nodiscard]] std::uint64_t activates() const { return activates_; }
  [[nodiscard]] std::uint64_t refreshes() const { return refreshes_; }
  [[nodiscard]] std::uint64_t busy_cycles() const { return busy_cycles_; }
  [[nodiscard]] std::uint64_t turns() const { return turns_; }

 private:
  struct Bank {
    std::uint32_t row = no_row;
    MemoryCycle activate_at = 0;
    MemoryCycle precharge_at = 0;
    std::array<MemoryCycle, 2> column_at{};  ///< by direction
    MemoryCycle last_use = 0;
  };
  bool refresh(MemoryCycle now);
  [[nodiscard]] unsigned rank_of(unsigned bank) const { return bank & (timing_.ranks - 1); }

  DramTiming timing_;
  std::array<Bank, most_banks> banks_{};
  std::array<MemoryCycle, 2> column_at_{};       ///< by direction: data bus and turn-round
  std::array<MemoryCycle, 4> activated_{};       ///< the last four activates, as cycle + 1; 0: none
  unsigned oldest_activate_ = 0;                 ///< index of the oldest of them
  MemoryCycle activate_at_ = 0;                  ///< activate gap
  MemoryCycle train_start_ = 0, train_end_ = 0;  ///< column commands under way
  Direction direction_ = Direction::read;        ///< of the last column command
  unsigned rank_ = 0;                            ///< of the last column command
  MemoryCycle refresh_due_ = 0;
  MemoryCycle last_refresh_due_ = 0, last_refresh_end_ = 0;
  std::uint64_t activates_ = 0, refreshes_ = 0, busy_cycles_ = 0, turns_ = 0;
};

}  // namespace teslasim
