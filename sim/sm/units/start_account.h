// SPDX-License-Identifier: Apache-2.0
// For how many cycles no warp could start on a unit, and why.
#pragma once

#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

/// Running totals of the cycles in which a unit could start no warp because it was starting another one (blocked) or
/// because all its collectors waited for registers (collecting). The account of any span is a difference of two totals,
/// and skipped cycles cost nothing. After a start the unit is blocked until `busy_until` and collecting from there
/// until `free_at`. Stands for no hardware. Units: SM cycles.
class StartAccount {
 public:
  /// End of the initiation interval of the last start.
  [[nodiscard]] SmCycle busy_until() const { return busy_until_; }
  /// First cycle in which the next warp can start.
  [[nodiscard]] SmCycle free_at() const { return free_at_; }

  /// Cycles before `now` in which a warp could not start because another one was starting.
  [[nodiscard]] SmCycle blocked_before(SmCycle now) const {
    return blocked_total_ - (busy_until_ > now ? lesser(busy_until_ - now, last_blocked_) : 0);
  }
  /// Cycles before `now` in which a warp could not start because every collector was waiting for registers.
  [[nodiscard]] SmCycle collecting_before(SmCycle now) const {
    if (collecting_total_ == 0) return 0;
    return collecting_total_ - (free_at_ > now ? free_at_ - greater(now, busy_until_) : 0);
  }
  /// The same within the cycles [begin, end). Precondition: at most one warp started since begin.
  [[nodiscard]] SmCycle collecting_in(SmCycle begin, SmCycle end) const {
    if (collecting_total_ == 0) return 0;
    return overlap(busy_until_, free_at_, begin, end) + overlap(waited_from_, waited_until_, begin, end);
  }
  [[nodiscard]] SmCycle collecting_total() const { return collecting_total_; }

  /// A warp starts in cycle `now`. The unit is blocked until `busy_until`, which counts as `blocked` cycles, and
  /// collects until `free_at`.
  void start(SmCycle busy_until, SmCycle blocked, SmCycle last_blocked, SmCycle free_at) {
    waited_from_ = busy_until_;
    waited_until_ = free_at_;
    block(busy_until, blocked, last_blocked);
    collect(free_at);
  }
  /// The wait for collectors ends at `now`, not served.
  void stop_collecting(SmCycle now) {
    if (free_at_ > now) collecting_total_ -= free_at_ - now;
    free_at_ = lesser(free_at_, now);
  }
  /// Blocked until `busy_until` without a start; `last_blocked`: how many cycles before that count.
  void block(SmCycle busy_until, SmCycle blocked, SmCycle last_blocked) {
    busy_until_ = busy_until;
    free_at_ = busy_until;
    blocked_total_ += blocked;
    last_blocked_ = last_blocked;
  }

 private:
  void collect(SmCycle free_at) {
    free_at_ = greater(busy_until_, free_at);
    collecting_total_ += free_at_ - busy_until_;
  }
  static SmCycle overlap(SmCycle from, SmCycle until, SmCycle begin, SmCycle end) {
    const SmCycle first = greater(from, begin);
    const SmCycle last = lesser(until, end);
    return last > first ? last - first : 0;
  }

  SmCycle busy_until_ = 0;
  SmCycle free_at_ = 0;
  SmCycle waited_from_ = 0, waited_until_ = 0;  ///< for collectors, before the last start
  SmCycle blocked_total_ = 0;
  SmCycle last_blocked_ = 0;  ///< of the interval that ends at busy_until_
  SmCycle collecting_total_ = 0;
};

}  // namespace teslasim
