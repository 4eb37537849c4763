// SPDX-License-Identifier: Apache-2.0
// The instruction fetch port of one SM.
#pragma once

#include "sim/base/types.h"
#include "sim/sm/port_calendar.h"

namespace teslasim {

/// Each SM cycle one instruction is fetched for a warp whose slot in the instruction queue is free (Collange 2010,
/// section 8.1; the L1 instruction cache has one port as wide as one instruction, table 7). This class hands out the
/// port's cycles: a warp asks for the first free one not before `earliest`.
/// Not modelled: instruction cache misses (every fetch hits).
class FetchUnit {
 public:
  /// Reserves the port; returns the cycle of the fetch. `now` is the current cycle, earliest > now.
  Cycle reserve(Cycle now, Cycle earliest) { return port_.reserve(now, earliest); }

  void clear() { port_.clear(); }

 private:
  PortCalendar port_;
};

}  // namespace teslasim
