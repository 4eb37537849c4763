// SPDX-License-Identifier: Apache-2.0
// The timing of the memory chips in whole memory clock cycles.
#pragma once

#include "memory/memory_spec.h"
#include "sim/base/types.h"

namespace teslasim {

/// Made once from DramTimingSpec and the period of the memory clock; nanoseconds are rounded up, as a controller's
/// registers are set. Names follow the commands they lie between; the usual symbols stand in DramTimingSpec.
struct DramTiming {
  DramTiming(const DramTimingSpec& spec, unsigned bytes_per_cycle, Femtoseconds period);

  unsigned banks;
  unsigned row_bytes;
  unsigned burst_bytes;  ///< moved by one column command
  Cycle burst;           ///< cycles of data of one column command, and from one to the next
  Cycle cas;
  Cycle write_latency;
  Cycle activate_to_read;
  Cycle activate_to_write;
  Cycle activate_to_precharge;
  Cycle activate_to_activate;
  Cycle activate_gap;
  Cycle four_activates;
  Cycle precharge;
  Cycle read_to_precharge;
  Cycle write_recovery;
  Cycle write_to_read;
  Cycle bus_turn;
  Cycle refresh_interval;
  Cycle refresh;
};

/// Whole cycles that are not shorter than `ns`; a thousandth of a cycle too much is taken for rounding.
[[nodiscard]] Cycle cycles_of_ns(double ns, Femtoseconds period);

}  // namespace teslasim
