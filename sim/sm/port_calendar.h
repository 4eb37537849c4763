// SPDX-License-Identifier: Apache-2.0
// The cycles of a port that serves one request per cycle and is asked for cycles in the future.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

/// Hands out the cycles of one port in the order of asking: a request gets the first free cycle not before the one it
/// names, so that a later request can take an earlier cycle that was left free. Contention is tracked for 64 cycles
/// ahead; a request beyond that is granted as asked. Units: SM cycles.
class PortCalendar {
 public:
  /// Reserves a cycle and returns it. `now` never goes back; earliest >= now.
  Cycle reserve(Cycle now, Cycle earliest) {
    advance(now);
    Cycle offset = earliest - base_;
    if (offset >= window) return earliest;
    const std::uint64_t free = ~taken_ & (~std::uint64_t{0} << offset);
    if (free == 0) return base_ + window;
    offset = static_cast<Cycle>(std::countr_zero(free));
    taken_ |= std::uint64_t{1} << offset;
    return base_ + offset;
  }

  void clear() { *this = PortCalendar{}; }

 private:
  static constexpr Cycle window = 64;

  void advance(Cycle now) {
    const Cycle shift = now - base_;
    taken_ = shift >= window ? 0 : taken_ >> shift;
    base_ = now;
  }

  Cycle base_ = 0;           ///< cycle of bit 0
  std::uint64_t taken_ = 0;  ///< one bit per cycle of the port
};

}  // namespace teslasim
