// SPDX-License-Identifier: Apache-2.0
// Registers in flight, per warp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/register_set.h"
#include "sim/base/slot_reason.h"

namespace teslasim {

/// Indexed by warp (Collange 2010, section 8.2). An instruction may issue when none of the registers it reads or writes
/// is pending: reads-after-writes and writes-after-writes wait, and as issue is in order per warp and operands are read
/// at issue, writes-after-reads cannot go wrong. Pending registers are kept by the class of their producer so that a
/// wait can be charged to the slowest class first. Not modelled: a limit on the number of entries.
class Scoreboard {
 public:
  explicit Scoreboard(unsigned warps) : warps_(warps) {}

  void reserve(unsigned warp, const RegisterSet& registers, SlotReason producer) {
    warps_[warp].all.insert(registers);
    warps_[warp].by_class[class_of(producer)].insert(registers);
  }
  void release(unsigned warp, const RegisterSet& registers, SlotReason producer) {
    warps_[warp].all.remove(registers);
    warps_[warp].by_class[class_of(producer)].remove(registers);
  }
  [[nodiscard]] bool hazard(unsigned warp, const RegisterSet& need) const { return warps_[warp].all.intersects(need); }
  [[nodiscard]] bool empty(unsigned warp) const { return warps_[warp].all.empty(); }

  /// The class to charge: the first in the order of slot_reason.def (longest first). Precondition: hazard().
  [[nodiscard]] SlotReason blocking_class(unsigned warp, const RegisterSet& need) const {
    for (unsigned i = 0; i < class_count; ++i) {
      if (warps_[warp].by_class[i].intersects(need)) {
        return static_cast<SlotReason>(static_cast<unsigned>(SlotReason::mem_global) + i);
      }
    }
    return SlotReason::dep_alu;
  }

  void clear(unsigned warp) { warps_[warp] = {}; }

 private:
  static constexpr unsigned class_count =
      static_cast<unsigned>(SlotReason::dep_alu) - static_cast<unsigned>(SlotReason::mem_global) + 1;
  static unsigned class_of(SlotReason producer) {
    return static_cast<unsigned>(producer) - static_cast<unsigned>(SlotReason::mem_global);
  }
  struct Pending {
    RegisterSet all;
    std::array<RegisterSet, class_count> by_class;
  };
  std::vector<Pending> warps_;
};

}  // namespace teslasim
