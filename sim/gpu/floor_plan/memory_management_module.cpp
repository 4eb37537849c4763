// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/memory_management_module.h"

namespace teslasim {

MemoryManagementModule::MemoryManagementModule(const sc_core::sc_module_name& name, const MemoryPath& path)
    : TracedModule(name), core_(path) {
  to_tpc.init(path.plan.tpcs);
  requests(request_gate_);
  responses(response_gate_);
  crossbar_credits(credit_gate_);
  show(core_, signals_of(core_));
}

void MemoryManagementModule::end_of_elaboration() {
  clk.subscribe(*this, name());
  core_.connect(*to_crossbar[0], receivers_behind<TranslationReceiver>(to_tpc));
}

Femtoseconds MemoryManagementModule::advance(Femtoseconds now, Femtoseconds) {
  return core_.advance(now);
}

}  // namespace teslasim
