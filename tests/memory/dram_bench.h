// SPDX-License-Identifier: Apache-2.0
// One DRAM channel with round numbers: a memory cycle of 1 ns, 16 bytes per cycle, so that ns are cycles.
#pragma once

#include "memory/dram/dram_channel.h"
#include "memory/memory_path.h"

namespace teslasim::testing {

inline constexpr Femtoseconds dram_ns = 1'000'000;

/// Every constraint has another length, so that a mix-up shows.
inline DramSpec data_sheet() {
  DramSpec spec;
  spec.partitions = 1;
  spec.latency_ns = 1;
  spec.bank_mapping = "plain";
  spec.row_hold_ns = 0;
  spec.turn_hold_ns = 0;
  DramTimingSpec& timing = spec.timing;
  timing.banks = 8;
  timing.row_bytes = 1024;
  timing.burst_length = 4;
  timing.cas_ns = 11;
  timing.write_latency_ns = 5;
  timing.activate_to_read_ns = 13;
  timing.activate_to_write_ns = 9;
  timing.activate_to_precharge_ns = 29;
  timing.activate_to_activate_ns = 47;
  timing.activate_gap_ns = 6;
  timing.four_activates_ns = 31;
  timing.precharge_ns = 12;
  timing.read_to_precharge_ns = 3;
  timing.write_recovery_ns = 14;
  timing.write_to_read_ns = 7;
  timing.bus_turn_cycles = 2;
  timing.refresh_interval_ns = 100000;
  timing.refresh_ns = 60;
  return spec;
}

inline MemoryPath dram_path(const DramSpec& spec) {
  return MemoryPath({1, 1, dram_ns, dram_ns}, {}, {}, spec);
}

}  // namespace teslasim::testing
