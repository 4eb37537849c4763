// SPDX-License-Identifier: Apache-2.0
// Resident blocks and warps per SM: the input of nearly every other model. The rule itself is sim/gpu/occupancy.
#include <algorithm>
#include <cmath>

#include "sim/gpu/machine/occupancy.h"
#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

unsigned whole(double value) {
  return static_cast<unsigned>(std::lround(value));
}

MachineSpec machine_of(Evaluation& e) {
  MachineSpec machine;
  machine.gpu.max_warps_per_sm = whole(e.need("max_warps_per_sm"));
  machine.gpu.max_ctas_per_sm = whole(e.need("max_blocks_per_sm"));
  machine.sm.registers = whole(e.need("registers_per_sm"));
  machine.sm.register_alloc_unit = whole(e.need("register_unit"));
  machine.sm.warp_alloc_granularity = whole(e.need("warp_granularity"));
  machine.sm.shared.bytes = whole(e.need("shared_bytes_per_sm"));
  machine.sm.shared.alloc_unit_bytes = whole(e.need("shared_unit"));
  return machine;
}

/// The rule of GPGPU-Sim (shader.cc, max_cta): registers of a thread rounded up to four, nothing rounded per block.
unsigned blocks_by_gpgpu_sim(const MachineSpec& machine, const OccupancyDemand& demand) {
  const unsigned threads = (demand.threads + 31) / 32 * 32;
  unsigned blocks = std::min(machine.gpu.max_ctas_per_sm, machine.gpu.max_warps_per_sm * 32 / threads);
  const unsigned registers = (demand.registers_per_thread + 3) / 4 * 4 * threads;
  if (registers != 0) blocks = std::min(blocks, machine.sm.registers / registers);
  if (demand.shared_bytes != 0) blocks = std::min(blocks, machine.sm.shared.bytes / demand.shared_bytes);
  return blocks;
}

}  // namespace

void evaluate_occupancy(Evaluation& e) {
  e.require({"threads_per_block", "registers_per_thread", "shared_bytes_per_block"});
  const MachineSpec machine = machine_of(e);
  const OccupancyDemand demand{whole(e.need("threads_per_block")), whole(e.need("registers_per_thread")),
                               whole(e.need("shared_bytes_per_block"))};
  const OccupancyReport report = explain_occupancy(machine, demand);
  e.term("warps_per_block", report.warps_per_block, "warps", "threads / 32, rounded up");
  for (const OccupancyLimit& limit : report.limits) {
    if (limit.per_block == 0) continue;
    e.term("blocks_by_" + limit.name, static_cast<double>(limit.blocks), "blocks", "what this resource alone admits");
  }
  if (demand.shared_bytes != 0) {
    const auto unrounded = machine.sm.shared.bytes / demand.shared_bytes;
    e.term("blocks_by_shared_unrounded", static_cast<double>(unrounded), "blocks",
           "shared memory without its allocation unit, as Zhang & Owens 2011, Table 2");
  }
  e.term("registers_for_one_block", registers_that_fit(machine, demand.threads, 1), "registers",
         "per thread, so that one block fits");
  e.term("blocks_gpgpu_sim_rule", blocks_by_gpgpu_sim(machine, demand), "blocks",
         "GPGPU-Sim's rule, for comparison: it allocates registers per thread in fours");
  const unsigned blocks = report.occupancy.ctas_per_sm;
  e.term("blocks_per_sm", blocks, "blocks", "the least of these");
  e.term("active_warps", report.occupancy.warps, "warps", "resident warps per SM");
  e.term("occupancy_pct", 100.0 * report.occupancy.warps / machine.gpu.max_warps_per_sm, "%", "of the SM's warps");
  e.bound(report.occupancy.limiter);
  if (blocks == 0) e.note("not even one block fits");
}

}  // namespace teslasim
