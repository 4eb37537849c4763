// SPDX-License-Identifier: Apache-2.0
// The cycles of a port that serves one request per cycle and is reserved ahead of time.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

/// Hands out the cycles of one port, first come, first served: a request gets the first free cycle at or after the one
/// it names, so a later request may fill an earlier gap. Contention is tracked 64 cycles ahead; a request beyond that
/// is granted as asked. Units: SM cycles.
class PortCalendar {
 public:
  /// Reserves a cycle and returns it. `now` never goes back; earliest >= now.
  SmCycle reserve(SmCycle now, SmCycle earliest) {
    advance(now);
    std::uint64_t offset = (earliest - base_).count();
    if (offset >= window) return earliest;
    const std::uint64_t free = ~taken_ & (~std::uint64_t{0} << offset);
    if (free == 0) return base_ + window;
    offset = static_cast<std::uint64_t>(std::countr_zero(free));
    taken_ |= std::uint64_t{1} << offset;
    return base_ + offset;
  }

  void clear() { *this = PortCalendar{}; }

 private:
  static constexpr std::uint64_t window = 64;

  void advance(SmCycle now) {
    const std::uint64_t shift = (now - base_).count();
    taken_ = shift >= window ? 0 : taken_ >> shift;
    base_ = now;
  }

  SmCycle base_ = 0;         ///< cycle of bit 0
  std::uint64_t taken_ = 0;  ///< one bit per cycle of the port
};

}  // namespace teslasim
