// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/partition_module.h"

namespace teslasim {

PartitionModule::PartitionModule(const sc_core::sc_module_name& name, const MemoryPath& path, unsigned partition)
    : TracedModule(name),
      dram_("dram", path),
      texture_l2_("texture_l2", path),
      core_(path, partition, dram_.core, texture_l2_.core) {
  requests(request_gate_);
  crossbar_credits(credit_gate_);
  show(core_, signals_of(core_));
}

void PartitionModule::end_of_elaboration() {
  clk.subscribe(*this, name());
  core_.connect(*credit_to_crossbar[0], *to_crossbar[0]);
}

void PartitionModule::begin_launch(DeviceMemory& memory, CompletionReceiver* completions) {
  core_.begin_launch(memory, completions);
}

Femtoseconds PartitionModule::advance(Femtoseconds now, Femtoseconds) {
  return core_.advance(now);
}

}  // namespace teslasim
