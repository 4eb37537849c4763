// SPDX-License-Identifier: Apache-2.0
// For how long the load/store unit was held by transactions that found no place in the TPC.
#pragma once

#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

/// While transactions wait for a place in the TPC, the load/store unit takes no further access (stall reason
/// mem.queue). A hold begins at the end of the interval of the access that filled the queue and ends when the last
/// transaction has left. Kept as running totals, so skipped cycles cost nothing. Units: SM cycles.
class QueueHold {
 public:
  [[nodiscard]] bool held() const { return held_; }
  /// First cycle after the last hold.
  [[nodiscard]] SmCycle until() const { return until_; }

  /// The unit takes no access from cycle `since` until `end`.
  void begin(SmCycle since) {
    since_ = since;
    held_ = true;
  }
  /// The last waiting transaction leaves in cycle `now`; accesses can start in the next one.
  void end(SmCycle now) {
    until_ = greater(now + 1, since_);
    total_ += until_ - since_;
    held_ = false;
  }
  /// Cycles before `now` in which the unit was held.
  [[nodiscard]] SmCycle cycles_before(SmCycle now) const {
    if (held_) return total_ + (now > since_ ? now - since_ : 0);
    return total_ - (until_ > now ? until_ - greater(now, since_) : 0);
  }

 private:
  SmCycle since_ = 0;
  SmCycle until_ = 0;
  SmCycle total_ = 0;
  bool held_ = false;
};

}  // namespace teslasim
