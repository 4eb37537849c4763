// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/constant_cache_modules.h"

#include "sim/base/clock_time.h"

namespace teslasim {
namespace {

CacheLevel::Shape l2_shape(const MachineSpec& machine, const MemoryPath& path) {
  CacheLevel::Shape shape;
  shape.clients = machine.gpu.sms_per_tpc;
  shape.places = machine.sm.icache.misses + machine.sm.const_cache.misses;
  shape.period = path.plan.core_period;
  shape.response = femtoseconds_of_ns(machine.const_l2.response_ns);
  shape.next_request = femtoseconds_of_ns(machine.const_l3.request_ns);
  shape.client_name = "sm";
  return shape;
}

CacheLevel::Shape l3_shape(const MachineSpec& machine, const MemoryPath& path) {
  CacheLevel::Shape shape;
  shape.clients = machine.gpu.tpcs;
  shape.places = machine.const_l2.misses;
  shape.period = path.plan.core_period;
  shape.response = femtoseconds_of_ns(machine.const_l3.response_ns);
  shape.next_request = path.plan.core_period;  // the port at the crossbar is part of the level
  shape.client_name = "tpc";
  return shape;
}

}  // namespace

ConstantL2Module::ConstantL2Module(const sc_core::sc_module_name& name, const MachineSpec& machine,
                                   const MemoryPath& path, unsigned tpc)
    : TracedModule(name), core_(machine.const_l2, l2_shape(machine, path)), tpc_(tpc) {
  to_sm.init(machine.gpu.sms_per_tpc);
  requests(request_gate_);
  from_l3(line_gate_);
  show(core_, signals_of(core_));
}

void ConstantL2Module::start_of_simulation() {
  clk.subscribe(*this, name());
}

void ConstantL2Module::end_of_elaboration() {
  core_.connect(receivers_behind<LineReceiver>(to_sm), *to_l3[0], tpc_);
}

ConstantL3Module::ConstantL3Module(const sc_core::sc_module_name& name, const MachineSpec& machine,
                                   const MemoryPath& path)
    : TracedModule(name),
      core_(machine.const_l3, l3_shape(machine, path)),
      reader_(path, machine.gpu.tpcs, machine.const_l3.misses) {
  to_tpc.init(machine.gpu.tpcs);
  requests(request_gate_);
  responses(response_gate_);
  crossbar_credits(credit_gate_);
  show(core_, signals_of(core_));
  show(reader_, signals_of(reader_));
}

void ConstantL3Module::end_of_elaboration() {
  clk.subscribe(*this, name());
  core_.connect(receivers_behind<LineReceiver>(to_tpc), reader_gate_, 0);
  reader_.connect(*to_crossbar[0], lines_);
}

void ConstantL3Module::begin_launch() {
  core_.reset();
  reader_.reset();
}

Femtoseconds ConstantL3Module::advance(Femtoseconds now, Femtoseconds) {
  const Femtoseconds wanted = reader_.advance(now);
  return lesser(wanted, core_.advance(now));
}

void ConstantL3Module::describe_pending(std::vector<std::string>& lines) const {
  core_.describe_pending(lines);
  reader_.describe_pending(lines);
}

}  // namespace teslasim
