// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/partition_module.h"

#include "sim/gpu/floor_plan/tlm_memory_port.h"

namespace teslasim {

PartitionModule::PartitionModule(const sc_core::sc_module_name& name, const MemoryPath& path, unsigned partition)
    : TracedModule(name),
      dram_(path.dram.model == "built_in" ? std::make_unique<BuiltInDram>(path) : nullptr),
      memory_port_(dram_ ? nullptr : std::make_unique<TlmMemoryPort>("memory_port", path, partition)),
      texture_l2_("texture_l2", path),
      core_(path, partition, back_end(), texture_l2_.core) {
  requests(request_gate_);
  crossbar_credits(credit_gate_);
  show(core_, signals_of(core_));
}

PartitionModule::~PartitionModule() = default;

MemoryBackEnd& PartitionModule::back_end() {
  if (dram_) return dram_->core;
  return *memory_port_;
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
