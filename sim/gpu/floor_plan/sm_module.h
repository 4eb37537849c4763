// SPDX-License-Identifier: Apache-2.0
// The SystemC module of one SM: ports around the plain core, and a module for each of its units.
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/engine/clock_port.h"
#include "sim/gpu/floor_plan/block_links.h"
#include "sim/gpu/floor_plan/line_links.h"
#include "sim/gpu/floor_plan/memory_links.h"
#include "sim/gpu/floor_plan/sm_units.h"
#include "sim/sm/sm.h"

namespace teslasim {

/// Told when the kernel did something illegal on an SM, which stops there. Other SMs may not have reached that time
/// yet.
class KernelErrorReceiver {
 public:
  virtual ~KernelErrorReceiver() = default;
  virtual void kernel_failed(SmIndex sm, Femtoseconds when, const InputError& error) = 0;
};

/// One SM on the floor plan (`gpu.tpc3.sm1`). Takes blocks, responses and credits as stamped messages; sends
/// transactions and line requests to the memory port and the constant cache of its TPC, and completions to the block
/// scheduler. Driven by the SM clock.
class SmModule final : public TracedModule,
                       public Clocked,
                       public TransactionInterface,
                       public CreditInterface,
                       public BlockInterface,
                       public LineInterface,
                       private BlockCompletionReceiver {
 public:
  ClockPort clk{"clk"};
  sc_core::sc_port<TransactionInterface> to_memory{"to_memory"};
  sc_core::sc_port<LineInterface> to_constant_l2{"to_constant_l2"};
  sc_core::sc_port<BlockCompletionInterface> to_scheduler{"to_scheduler"};

  /// `completion_latency` is that of the link to the block scheduler.
  SmModule(const sc_core::sc_module_name& name, const SmParameters& parameters, Femtoseconds completion_latency);
  void end_of_elaboration() override;

  /// A new launch; `launch.memory`, `launch.lines` and `launch.completion` are filled in from the ports.
  void begin_launch(SmLaunch launch, KernelErrorReceiver& errors);
  void receive_block(SmIndex sm, Femtoseconds when, BlockIndex block, SmCycle clock_stopped) override;
  void receive_end_of_grid(SmIndex /*sm*/) override { sm_.receive_end_of_grid(); }
  void receive(unsigned port, const MemoryTransaction& transaction) override;
  void credit(unsigned port, Femtoseconds when) override;
  void receive_line(unsigned port, const LineRequest& line) override;

  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override { return run(now, horizon, {}); }
  Femtoseconds advance_ahead(Femtoseconds now, const Reach& reach) override;
  void describe_pending(std::vector<std::string>& lines) const override { sm_.describe_pending(lines); }

  [[nodiscard]] Sm& core() { return sm_; }
  [[nodiscard]] const Sm& core() const { return sm_; }
  /// First cycle that the SM has not run.
  [[nodiscard]] SmCycle progress() const { return progress_; }

 private:
  void show_warps();
  Femtoseconds run(Femtoseconds now, Femtoseconds horizon, const SmReach& beyond);
  [[nodiscard]] SmCycle arrival(Femtoseconds when) const;
  void block_completed(SmIndex sm, BlockIndex block, Femtoseconds when) override;
  void block_released(SmIndex sm, Femtoseconds when) override;
  [[nodiscard]] SmCycle cycle_of(Femtoseconds when) const { return (when + period_ - 1) / period_; }

  Femtoseconds period_;
  Femtoseconds completion_latency_;
  std::uint16_t number_;
  KernelErrorReceiver* errors_ = nullptr;
  Sm sm_;
  SmUnits units_;
  SmCycle progress_ = 0;
  bool failed_ = false;  ///< an instruction of this launch was illegal: the SM stands still
};

}  // namespace teslasim
