// SPDX-License-Identifier: Apache-2.0
// The timing of the memory chips in whole memory clock cycles.
#pragma once

#include <array>

#include "memory/memory_spec.h"
#include "sim/base/types.h"

namespace teslasim {

/// The most banks that can be configured: what is kept by bank lies in arrays.
inline constexpr unsigned most_banks = 16;

/// Made once from DramTimingSpec and the period of the memory clock; nanoseconds are rounded up, as a controller's
/// registers are set. Names follow the commands they lie between; the usual symbols stand in DramTimingSpec.
struct DramTiming {
  DramTiming(const DramTimingSpec& spec, unsigned bytes_per_cycle, Femtoseconds period);

  unsigned banks;
  unsigned row_bytes;
  unsigned burst_bytes;  ///< moved by one column command
  MemoryCycle burst;     ///< cycles of data of one column command, and from one to the next
  MemoryCycle cas;
  MemoryCycle write_latency;
  MemoryCycle activate_to_read;
  MemoryCycle activate_to_write;
  MemoryCycle activate_to_precharge;
  MemoryCycle activate_to_activate;
  MemoryCycle activate_gap;
  MemoryCycle four_activates;
  MemoryCycle precharge;
  MemoryCycle read_to_precharge;
  MemoryCycle write_recovery;
  MemoryCycle write_to_read;
  MemoryCycle bus_turn;
  unsigned ranks;
  std::array<MemoryCycle, 2> rank_switch;  ///< gap before data read from another rank, and before data written to it
  MemoryCycle refresh_interval;
  MemoryCycle refresh;
};

/// Whole cycles that are not shorter than `ns`; an excess below a thousandth of a cycle counts as rounding.
[[nodiscard]] MemoryCycle cycles_of_ns(double ns, Femtoseconds period);

}  // namespace teslasim
