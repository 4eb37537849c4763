// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/block_scheduler_module.h"

namespace teslasim {

BlockSchedulerModule::BlockSchedulerModule(const sc_core::sc_module_name& name, const GpuLayoutSpec& layout,
                                           Femtoseconds sm_period)
    : TracedModule(name), scheduler_(layout, sm_period, *this) {
  to_sm.init(layout.tpcs * layout.sms_per_tpc);
  show(scheduler_, signals_of(scheduler_));
}

void BlockSchedulerModule::receive_block(SmIndex sm, Femtoseconds when, BlockIndex block, SmCycle clock_stopped) {
  to_sm[sm]->receive_block(sm, when, block, clock_stopped);
}

void BlockSchedulerModule::receive_end_of_grid(SmIndex sm) {
  to_sm[sm]->receive_end_of_grid(sm);
}

void BlockSchedulerModule::block_completed(SmIndex sm, BlockIndex block, Femtoseconds when) {
  scheduler_.completed(sm, block, when);
  clk.wake(when);
}

void BlockSchedulerModule::block_released(SmIndex sm, Femtoseconds when) {
  scheduler_.released(sm, when);
  clk.wake(when);
}

Femtoseconds BlockSchedulerModule::advance(Femtoseconds now, Femtoseconds) {
  return scheduler_.advance(now);
}

}  // namespace teslasim
