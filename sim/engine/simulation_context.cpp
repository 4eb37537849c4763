// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/simulation_context.h"

#include <systemc>

namespace teslasim {

struct SimulationContext::State {
  sc_core::sc_simcontext context;
  sc_core::sc_report_handler_proc handler = nullptr;  ///< of its simulation, once there is one
};

struct SimulationContext::Current::Outer {
  State& inner;
  sc_core::sc_simcontext* context;
  sc_core::sc_report_handler_proc handler;
};

SimulationContext::SimulationContext() : state_(std::make_unique<State>()) {}

SimulationContext::~SimulationContext() {
  sc_core::sc_simcontext* const outer = sc_core::sc_get_curr_simcontext();
  sc_core::sc_curr_simcontext = &state_->context;
  state_.reset();
  sc_core::sc_curr_simcontext = outer;
}

// sc_get_curr_simcontext makes the default context where there is none: that of the program's own simulation.
SimulationContext::Current::Current(SimulationContext& context)
    : outer_(std::make_unique<Outer>(
          Outer{*context.state_, sc_core::sc_get_curr_simcontext(), sc_core::sc_report_handler::get_handler()})) {
  sc_core::sc_curr_simcontext = &context.state_->context;
  if (context.state_->handler != nullptr) sc_core::sc_report_handler::set_handler(context.state_->handler);
}

SimulationContext::Current::~Current() {
  outer_->inner.handler = sc_core::sc_report_handler::get_handler();
  sc_core::sc_curr_simcontext = outer_->context;
  sc_core::sc_report_handler::set_handler(outer_->handler);
}

}  // namespace teslasim
