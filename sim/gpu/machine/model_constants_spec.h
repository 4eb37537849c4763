// SPDX-License-Identifier: Apache-2.0
// Published constants that the analytical models take when nothing was calibrated. The simulation reads none of them.
#pragma once

#include "sim/base/config.h"

namespace teslasim {

struct ModelConstantsSpec {
  double mem_ld_cycles = 420.0;
  double departure_coalesced_cycles = 4.0;
  double departure_uncoalesced_cycles = 10.0;
  double pipeline_latency_cycles = 24.0;
  double launch_base_ms = 0.011;
  double launch_argument_ms = 0.0005;
  double launch_block_ms = 0.00001;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("mem_ld_cycles", &ModelConstantsSpec::mem_ld_cycles, 1.0, 100000.0, "SP cycles",
              "unloaded latency of a global load"),
        field("departure_coalesced_cycles", &ModelConstantsSpec::departure_coalesced_cycles, 0.001, 10000.0,
              "SP cycles", "distance of two coalesced accesses of an SM"),
        field("departure_uncoalesced_cycles", &ModelConstantsSpec::departure_uncoalesced_cycles, 0.001, 10000.0,
              "SP cycles", "distance of two transactions of an uncoalesced access"),
        field("pipeline_latency_cycles", &ModelConstantsSpec::pipeline_latency_cycles, 1.0, 10000.0, "SP cycles",
              "arithmetic instruction to a dependent one"),
        field("launch_base_ms", &ModelConstantsSpec::launch_base_ms, 0.0, 1000.0, "ms",
              "launch of a kernel of one block without arguments"),
        field("launch_argument_ms", &ModelConstantsSpec::launch_argument_ms, 0.0, 1000.0, "ms", "each argument"),
        field("launch_block_ms", &ModelConstantsSpec::launch_block_ms, 0.0, 1000.0, "ms", "each block"));
  }
};

}  // namespace teslasim
