// SPDX-License-Identifier: Apache-2.0
#include "memory/dram/dram_timing.h"

#include <cmath>

namespace teslasim {

MemoryCycle cycles_of_ns(double ns, Femtoseconds period) {
  constexpr double femtoseconds_per_ns = 1e6;
  constexpr double rounding = 1e-3;
  const double cycles = std::ceil(ns * femtoseconds_per_ns / static_cast<double>(period) - rounding);
  return cycles <= 0 ? 0 : static_cast<MemoryCycle>(cycles);
}

DramTiming::DramTiming(const DramTimingSpec& spec, unsigned bytes_per_cycle, Femtoseconds period)
    : banks(spec.banks),
      row_bytes(spec.row_bytes),
      burst_bytes(bytes_per_cycle * spec.burst_length / 2),
      burst(spec.burst_length / 2),
      cas(cycles_of_ns(spec.cas_ns, period)),
      write_latency(cycles_of_ns(spec.write_latency_ns, period)),
      activate_to_read(cycles_of_ns(spec.activate_to_read_ns, period)),
      activate_to_write(cycles_of_ns(spec.activate_to_write_ns, period)),
      activate_to_precharge(cycles_of_ns(spec.activate_to_precharge_ns, period)),
      activate_to_activate(cycles_of_ns(spec.activate_to_activate_ns, period)),
      activate_gap(cycles_of_ns(spec.activate_gap_ns, period)),
      four_activates(cycles_of_ns(spec.four_activates_ns, period)),
      precharge(cycles_of_ns(spec.precharge_ns, period)),
      read_to_precharge(cycles_of_ns(spec.read_to_precharge_ns, period)),
      write_recovery(cycles_of_ns(spec.write_recovery_ns, period)),
      write_to_read(cycles_of_ns(spec.write_to_read_ns, period)),
      bus_turn(spec.bus_turn_cycles),
      ranks(spec.ranks),
      rank_switch{spec.rank_switch_cycles, spec.rank_switch_write_cycles},
      refresh_interval(cycles_of_ns(spec.refresh_interval_ns, period)),
      refresh(cycles_of_ns(spec.refresh_ns, period)) {}

}  // namespace teslasim
