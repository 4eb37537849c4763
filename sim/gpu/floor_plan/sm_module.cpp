// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/sm_module.h"

#include <fmt/format.h>

#include <optional>

namespace teslasim {

SmModule::SmModule(const sc_core::sc_module_name& name, const SmParameters& parameters, Femtoseconds completion_latency)
    : TracedModule(name),
      period_(parameters.link.cycle),
      completion_latency_(completion_latency),
      number_(parameters.link.sm),
      sm_(parameters),
      units_(sm_, parameters.spec->dp_units == 0 ? DoublePrecision::absent : DoublePrecision::present) {
  show(sm_, signals_of(sm_));
  show_warps();
}

/// The state of each warp slot, and the address of the instruction that it issued last.
void SmModule::show_warps() {
  constexpr unsigned state_bits = 8, address_bits = 32;
  for (unsigned warp = 0; warp < sm_.warp_slots(); ++warp) {
    const std::string prefix = fmt::format("w{:02}", warp);
    show(prefix + "_state", state_bits, [this, warp](std::uint64_t now) {
      const std::optional<SlotReason> state = sm_.accounting().state_in(warp, now);
      return state ? static_cast<std::uint64_t>(*state) : unknown_value;
    });
    show(prefix + "_pc", address_bits, [this, warp](std::uint64_t now) {
      return sm_.accounting().state_in(warp, now) ? std::uint64_t{sm_.blocks().last_pc(warp)} : unknown_value;
    });
  }
}

void SmModule::end_of_elaboration() {
  clk.subscribe(*this, name());
}

void SmModule::begin_launch(SmLaunch launch, KernelErrorReceiver& errors) {
  progress_ = 0;
  failed_ = false;
  errors_ = &errors;
  launch.memory = to_memory[0];
  launch.lines = to_constant_l2[0];
  launch.completion = this;
  sm_.begin(launch);
}

/// The cycle of what arrives. It must not be news of cycles that the SM has run already.
SmCycle SmModule::arrival(Femtoseconds when) const {
  const SmCycle cycle = cycle_of(when);
  SIM_CHECK(cycle >= progress_ || failed_, "a message came to an SM that had gone on without it");
  return cycle;
}

void SmModule::receive_block(SmIndex, Femtoseconds when, BlockIndex block, SmCycle clock_stopped) {
  sm_.receive_block(arrival(when), block, clock_stopped);
  clk.wake(when);
}

void SmModule::receive(unsigned, const MemoryTransaction& transaction) {
  if (sm_.receive_response(arrival(transaction.when), transaction.tag)) clk.wake(transaction.when);
}

void SmModule::credit(unsigned, Femtoseconds when) {
  if (sm_.receive_credit(cycle_of(when))) clk.wake(when);
}

void SmModule::receive_line(unsigned, const LineRequest& line) {
  sm_.receive_line(arrival(line.when), line.kind, line.address);
  clk.wake(line.when);
}

void SmModule::block_completed(SmIndex sm, BlockIndex block, Femtoseconds when) {
  to_scheduler->block_completed(sm, block, when + completion_latency_);
}

void SmModule::block_released(SmIndex sm, Femtoseconds when) {
  to_scheduler->block_released(sm, when + completion_latency_);
}

Femtoseconds SmModule::advance_ahead(Femtoseconds now, const Reach& reach) {
  if (sm_.observed()) return advance(now, reach.horizon);
  return run(now, reach.horizon, {reach.furthest / period_, reach.sent_from / period_});
}

Femtoseconds SmModule::run(Femtoseconds now, Femtoseconds horizon, const SmReach& beyond) {
  if (failed_) return never;
  const SmCycle end = cycle_of(horizon);
  try {
    // A place in the queue of the TPC may have come back before what the SM has run.
    const SmCycle next = sm_.run(greater(cycle_of(now), progress_), end, beyond);
    progress_ = greater(progress_, sm_.running() + 1);
    if (next != never) progress_ = greater(progress_, lesser(next, end));
    return next == never ? never : next * period_;
  } catch (const InputError& error) {
    if (error.exit_code() != ExitCode::kernel) throw;
    progress_ = greater(progress_, sm_.running() + 1);
    failed_ = true;
    errors_->kernel_failed(number_, sm_.running() * period_, error);
    return never;
  }
}

}  // namespace teslasim
