// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/tpc_module.h"

namespace teslasim {

TextureModule::TextureModule(const sc_core::sc_module_name& name, const MemoryPath& path)
    : TracedModule(name), core(path) {
  show(core, signals_of(core));
  for (unsigned sm = 0; sm < path.plan.sms_per_tpc; ++sm) {
    caches_.push_back(std::make_unique<UnitModule<TagArray>>(("cache" + std::to_string(sm)).c_str(), core.cache(sm)));
  }
}

TpcModule::TpcModule(const sc_core::sc_module_name& name, const MemoryPath& path, unsigned tpc,
                     const std::function<void(unsigned)>& build_sm)
    : sc_module(name), texture_("texture", path), core_(path, tpc, texture_.core) {
  to_sm.init(path.plan.sms_per_tpc);
  credit_to_sm.init(path.plan.sms_per_tpc);
  requests(request_gate_);
  responses(response_gate_);
  crossbar_credits(credit_gate_);
  translations(translation_gate_);
  for (unsigned sm = 0; sm < path.plan.sms_per_tpc; ++sm) build_sm(sm);
}

void TpcModule::end_of_elaboration() {
  clk.subscribe(*this, name());
  core_.connect(*to_crossbar[0], *to_management[0], receivers_behind<TransactionReceiver>(to_sm),
                receivers_behind<CreditReceiver>(credit_to_sm));
}

Femtoseconds TpcModule::advance(Femtoseconds now, Femtoseconds) {
  return core_.advance(now);
}

}  // namespace teslasim
