// SPDX-License-Identifier: Apache-2.0
// Where the cycles of a DRAM data bus go.
#pragma once

#include <algorithm>

#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"

namespace teslasim {

/// Gives every memory cycle one owner (BusUse), in order: an account is complete up to `until` and never goes back.
/// Cycles are those of column commands, which the data follow at a fixed distance for each direction. A gap belongs to
/// what ended it: cycles with no transaction, or only writes held back, are claimed as they pass; the next access
/// claims the rest.
class BusAccount {
 public:
  void reset() { *this = {}; }
  /// Gives the cycles up to `cycle` that have no owner yet to `use`.
  void claim(BusUse use, MemoryCycle cycle) {
    if (cycle <= until_) return;
    cycles_[static_cast<std::size_t>(use)] += (cycle - until_).count();
    until_ = cycle;
    last_ = use;
  }
  /// The same for the cycles from `from` on; those before go to `before`.
  void claim_between(BusUse use, MemoryCycle from, MemoryCycle to, BusUse before) {
    if (to <= until_) return;
    claim(before, from);
    claim(use, to);
  }
  [[nodiscard]] MemoryCycle until() const { return until_; }
  /// The account of a launch of `cycles`: cycles without an owner were idle. A launch that was stopped may end within
  /// the data of its last access.
  [[nodiscard]] BusCycles closed(MemoryCycle cycles) const {
    BusCycles all = cycles_;
    std::uint64_t excess = until_ > cycles ? (until_ - cycles).count() : 0;
    // Before the data the bus may have turned, as announced.
    for (const BusUse use : {last_, BusUse::turn}) {
      std::uint64_t& claimed = all[static_cast<std::size_t>(use)];
      const std::uint64_t taken_back = std::min(claimed, excess);
      claimed -= taken_back;
      excess -= taken_back;
    }
    all[static_cast<std::size_t>(BusUse::idle)] += cycles > until_ ? (cycles - until_).count() : 0;
    return all;
  }

 private:
  MemoryCycle until_ = 0;
  BusUse last_ = BusUse::idle;  ///< of the cycle before `until_`
  BusCycles cycles_{};
};

}  // namespace teslasim
