// SPDX-License-Identifier: Apache-2.0
// The SystemC module of the block scheduler.
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "sim/engine/clock_port.h"
#include "sim/gpu/floor_plan/block_links.h"
#include "sim/gpu/floor_plan/memory_signals.h"

namespace teslasim {

/// The block scheduler on the floor plan (`gpu.block_scheduler`). Driven by the core clock.
class BlockSchedulerModule final : public TracedModule,
                                   public Clocked,
                                   public BlockCompletionInterface,
                                   private BlockReceiver {
 public:
  ClockPort clk{"clk"};
  sc_core::sc_vector<sc_core::sc_port<BlockInterface>> to_sm{"to_sm"};

  BlockSchedulerModule(const sc_core::sc_module_name& name, const GpuLayoutSpec& layout, Femtoseconds sm_period);
  void end_of_elaboration() override { clk.subscribe(*this, name()); }

  void begin_launch(BlockRange blocks, unsigned ctas_per_sm, std::vector<Femtoseconds>* ends) {
    scheduler_.begin(blocks, ctas_per_sm, ends);
  }
  void block_completed(SmIndex sm, BlockIndex block, Femtoseconds when) override;
  void block_released(SmIndex sm, Femtoseconds when) override;

  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override;
  void describe_pending(std::vector<std::string>& lines) const override { scheduler_.describe_pending(lines); }
  [[nodiscard]] const BlockScheduler& core() const { return scheduler_; }

 private:
  void receive_block(SmIndex sm, Femtoseconds when, BlockIndex block, SmCycle clock_stopped) override;
  void receive_end_of_grid(SmIndex sm) override;

  BlockScheduler scheduler_;
};

}  // namespace teslasim
