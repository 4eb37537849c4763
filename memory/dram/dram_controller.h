// SPDX-License-Identifier: Apache-2.0
// The memory controller of one partition: which transaction the chips serve next.
#pragma once

#include <array>
#include <cstdint>

#include "memory/dram/bus_account.h"
#include "memory/dram/dram_channel.h"
#include "memory/dram/memory_back_end.h"
#include "memory/dram/transaction_table.h"
#include "memory/memory_path.h"
#include "memory/traffic_observer.h"
#include "memory/transaction.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"

namespace teslasim {

/// Stands for the controller in front of the chips. Reads and writes wait in a TransactionTable. One command per memory
/// cycle: the oldest transaction whose row is open and whose data would find the bus free, else the oldest that needs
/// its bank prepared (activate, or precharge first): first ready, first come, first served. Reads go first; writes are
/// put off until there are `write_drain_start` pieces of `write_piece_bytes` of them, or nothing was read for
/// `turn_hold_ns`, and then served down to `write_drain_stop`. An open row nobody asks for is kept for `row_hold_ns`. A
/// transaction older than `starvation_ns` is no longer overtaken by younger ones to the open row of its bank, nor is
/// any when the row has served `row_hit_cap` transactions since its activate (FR-FCFS+Cap: Mutlu & Moscibroda 2007).
/// With `fcfs` each bank serves its transactions strictly in order. Held-back requests and fewer bus turns: Collange
/// 2010, section 10.5, after the patents cited there. It does not look at ranks: a change of rank costs its gap. Not
/// modelled: early precharge, forwarding from waiting writes to reads (values are exchanged before, in order). All
/// times are cycles of the memory clock.
class DramController final : public MemoryBackEnd {
 public:
  DramController(const MemoryPath& path, DramChannel& channel);
  void reset() override;
  void observe(DramCommandObserver* observer, unsigned partition) override {
    observer_ = observer;
    partition_ = partition;
  }

  [[nodiscard]] bool has_room(Direction direction) const { return table_.has_room(direction); }
  /// Precondition: has_room. Calls come in the order of `now`.
  void push(const MemoryTransaction& transaction, Direction direction, std::uint32_t ticket, MemoryCycle now) override;
  /// Issues at most one command at `now`. Returns true when it was the column command of `served`.
  bool step(MemoryCycle now, Served& served) override;

  [[nodiscard]] bool empty() const { return table_.empty(); }
  [[nodiscard]] unsigned used(Direction direction) const { return table_.used(direction); }
  [[nodiscard]] MemoryCycle last_data() const override { return last_data_; }
  [[nodiscard]] std::uint64_t row_hits() const { return row_hits_; }
  void add_to(PartitionStatistics& statistics, MemoryCycle cycles) const override;

 private:
  using Entry = TransactionTable::Entry;
  using List = TransactionTable::List;
  static constexpr std::uint16_t none = TransactionTable::none;
  static constexpr std::size_t index(Direction direction) { return TransactionTable::index(direction); }
  /// The best command found so far.
  struct Choice {
    std::uint64_t number = ~std::uint64_t{0};
    std::uint16_t entry = none;
    MemoryCycle change = never;  ///< when one of those that could be chosen must give way to an older transaction
  };

  void choose_direction(MemoryCycle now);
  /// choose_direction would change nothing now.
  [[nodiscard]] bool keeps_direction() const;
  void wait_for_bus(unsigned bank, MemoryCycle now, MemoryCycle change);
  [[nodiscard]] std::uint32_t banks_to_consider(MemoryCycle now);
  void consider_bank(unsigned bank, MemoryCycle now, Choice& column, Choice& row);
  void rest(unsigned bank, MemoryCycle until);
  /// Something about the bank's transactions of this direction has changed: it must be looked at again.
  void disturb(Direction direction, unsigned bank) {
    const bool any = table_.list(direction, bank).head != none;
    const std::uint32_t bit = std::uint32_t{1} << bank;
    waiting_[index(direction)] = any ? waiting_[index(direction)] | bit : waiting_[index(direction)] & ~bit;
    resting_until_[index(direction)][bank] = any ? 0 : never;
  }
  void prepare(Entry& entry, MemoryCycle now);
  void serve(std::uint16_t chosen, MemoryCycle now, Served& served);
  void refresh_hits(unsigned bank);
  void tell(PipelineEvents::DramCommandKind kind, const Entry& entry, MemoryCycle now, MemoryCycle cycles) const;
  void tell_refresh();
  void claim_gap(MemoryCycle now);

  DramChannel& channel_;
  TransactionTable table_;
  unsigned drain_start_, drain_stop_;
  bool open_rows_first_;
  bool xor_banks_;
  unsigned row_hit_cap_;
  MemoryCycle row_hold_, turn_hold_, starvation_;
  AddressMap map_;
  unsigned row_shift_, bank_shift_;  ///< bits of columns; bits of banks

  /// By direction and bank: the first cycle in which a command may be possible, as of the last look.
  /// Other banks can only make it later. `never` without entries.
  std::array<std::array<MemoryCycle, most_banks>, 2> resting_until_{};
  std::array<std::uint32_t, 2> waiting_{};            ///< by direction: the banks with entries
  std::array<unsigned, most_banks> served_of_row_{};  ///< by bank: transactions since its last activate
  Direction direction_ = Direction::read;
  MemoryCycle last_read_ = 0;
  MemoryCycle last_data_ = 0;

  DramCommandObserver* observer_ = nullptr;
  unsigned partition_ = 0;
  MemoryCycle told_refresh_ = 0;

  std::uint64_t row_hits_ = 0, row_misses_ = 0;
  BusAccount bus_;
};

}  // namespace teslasim
