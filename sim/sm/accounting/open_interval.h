// SPDX-License-Identifier: Apache-2.0
// The interval of the series over time in which an SM is.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "sim/base/interval_statistics.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"

namespace teslasim {

/// Issue slots are charged in order of time. What an SM did inside the open interval is therefore the growth of its
/// totals since the interval began, and needs no second count. A charge that reaches beyond the interval is spread over
/// intervals one by one; so is every charge while intervals are too narrow to hold more than a few. Stands for no
/// hardware. Units: SM cycles.
class OpenInterval {
 public:
  /// A new launch at cycle 0; both outlive it. `series` may be null: then no interval ever ends.
  void begin(NarrowIntervalSeries* series, const SmStatistics& totals) {
    series_ = series;
    totals_ = &totals;
    outside_ = 0;
    if (series_ == nullptr) {
      begin_ = 0;
      end_ = std::numeric_limits<SmCycle>::max();
      spread_ = nullptr;
    } else {
      open(0);
    }
  }
  /// A charge up to cycle `end - 1` leaves the open interval, or needs wider ones.
  [[nodiscard]] bool ends_before(SmCycle end) const { return end > end_; }
  /// The interval receives the growth of the totals. Until the next `open`, charges go to `spread()`.
  void close();
  /// The interval of cycle `now`: slots up to that cycle have been charged, and none after it.
  void open(SmCycle now);
  /// Where a charge is to be added besides the totals; null while an interval is open.
  [[nodiscard]] NarrowIntervalSeries* spread() const { return spread_; }
  /// A warp could have issued in [begin, end); the totals count these cycles as "another warp chosen".
  void eligible(SmCycle begin, SmCycle end) {
    if (spread_ != nullptr || begin < begin_ || end > end_) eligible_outside(begin, end);
  }
  /// `warps` warps were resident in [begin, end).
  void active(SmCycle begin, SmCycle end, unsigned warps) {
    if (series_ != nullptr) series_->add(interval_active, begin, end, warps);
  }

 private:
  static constexpr SmCycle least_width = 32;  ///< below, adding up totals costs more than it saves

  [[gnu::noinline]] void eligible_outside(SmCycle begin, SmCycle end);
  [[nodiscard]] std::uint64_t eligible_total() const {
    return totals_->warp_cycles[SlotReason::not_selected] + totals_->issue_events - outside_;
  }

  NarrowIntervalSeries* series_ = nullptr;
  NarrowIntervalSeries* spread_ = nullptr;
  const SmStatistics* totals_ = nullptr;
  SmCycle begin_ = 0;
  SmCycle end_ = 0;
  std::uint64_t outside_ = 0;                             ///< eligible warp cycles that are already in the series
  std::array<std::uint64_t, slot_reason_count> slots_{};  ///< totals when the interval began
  std::uint64_t eligible_ = 0;                            ///< the same of eligible_total()
};

}  // namespace teslasim
