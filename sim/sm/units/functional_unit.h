// SPDX-License-Identifier: Apache-2.0
// One functional unit: MAD, SFU, DP, and what else takes warps at an interval.
#pragma once

#include <cstdint>

#include "sim/base/diagnostic.h"
#include "sim/base/types.h"
#include "sim/sm/operands/operand_collectors.h"
#include "sim/sm/units/start_account.h"

namespace teslasim {

/// What an instruction, or one pass of it, takes of a unit.
struct UnitUse {
  SmCycle interval = 1;   ///< SM cycles for which it takes the unit
  SmCycle collected = 0;  ///< its last operand will have been read before this cycle; 0: it reads none
  SmCycle wait = 0;       ///< cycles from now in which the unit still takes the instruction before
};

/// Stands for the lanes of one kind in an SM, with the operand collectors in front of them: eight MAD lanes, two SFUs,
/// one DP unit (Collange 2010, section 9: a warp takes them for 4, 16 and 32 SP cycles); also for the address
/// generation of the memory path and for the counting of arrivals at barriers. A warp that starts in cycle c occupies
/// the unit in the cycles c .. c+interval-1.
/// Each cycle: nothing; `accept` computes when the next warp can start. The unit is full while it takes a warp and
/// while all its collectors wait for registers. Not modelled: the stages inside the unit (the latency of a result is
/// known to WriteBack), bypasses. Units: SM cycles.
class alignas(64) FunctionalUnit {
 public:
  explicit FunctionalUnit(unsigned collectors = OperandCollectors::most) : collectors_(collectors) {}

  [[nodiscard]] bool can_accept(SmCycle now) const { return now >= account_.free_at(); }
  [[nodiscard]] SmCycle free_at() const { return account_.free_at(); }
  /// Precondition: can_accept(now), or the unit is free by `now + use.wait`.
  [[gnu::always_inline]] void accept(const UnitUse& use, SmCycle now) {
    SIM_CHECK(can_accept(now + use.wait), "the functional unit is taken");
    collectors_.accept(use.collected);
    // The cycle of the start is not one in which others were kept out, unless the unit is still taken.
    account_.start(now + use.wait + use.interval, use.wait + use.interval - greater(use.wait, 1),
                   use.wait + use.interval - (use.wait == 0 ? 1 : 0), collectors_.free_at());
    busy_cycles_ += use.interval;
  }

  [[nodiscard]] const OperandCollectors& collectors() const { return collectors_; }
  [[nodiscard]] const StartAccount& account() const { return account_; }
  /// Cycles in which the unit was starting a warp, up to the last start.
  [[nodiscard]] SmCycle busy_cycles() const { return busy_cycles_; }

  void clear() {
    account_ = {};
    busy_cycles_ = 0;
    collectors_.clear();
  }

 private:
  StartAccount account_;
  SmCycle busy_cycles_ = 0;
  OperandCollectors collectors_;
};

}  // namespace teslasim
