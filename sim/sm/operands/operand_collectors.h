// SPDX-License-Identifier: Apache-2.0
// The operand collectors in front of one functional unit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

/// Stands for the few buffers in which instructions of one unit wait while the register file reads their operands
/// (Lindholm et al., US patent 7339592; Collange 2010, section 8.3). An instruction holds a collector until its last
/// register was read; collectors are taken in turn, and when all wait the unit takes no further instruction.
/// Each cycle: nothing; `accept` notes when the collector will be free. Not modelled: their size in bytes.
/// Units: SM cycles.
class OperandCollectors {
 public:
  static constexpr unsigned most = 8;

  explicit OperandCollectors(unsigned count = most) : count_(count) {}

  [[nodiscard]] bool can_accept(SmCycle now) const { return now >= free_at(); }
  /// First cycle in which the collector to be taken next is free.
  [[nodiscard]] SmCycle free_at() const { return free_at_[next_]; }
  /// Those that wait for registers.
  [[nodiscard]] unsigned taken(SmCycle now) const {
    return static_cast<unsigned>(
        std::count_if(free_at_.begin(), free_at_.end(), [now](SmCycle free) { return free > now; }));
  }
  /// An instruction takes a collector; its last operand will have been read before cycle `collected`.
  /// Precondition: can_accept in the cycle in which it starts to collect.
  void accept(SmCycle collected) {
    free_at_[next_] = collected;
    next_ = next_ + 1 == count_ ? 0 : next_ + 1;
  }

  void clear() { *this = OperandCollectors(count_); }

 private:
  std::array<SmCycle, most> free_at_{};
  std::uint32_t next_ = 0;
  std::uint32_t count_;
};

}  // namespace teslasim
