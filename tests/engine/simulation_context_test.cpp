// SPDX-License-Identifier: Apache-2.0
// Simulations of one process that take turns.
#include "sim/engine/simulation_context.h"

#include <gtest/gtest.h>

#include <memory>
#include <systemc>

#include "sim/engine/simulation.h"

namespace teslasim {
namespace {

TEST(SimulationContext, each_elaborates_once_and_has_a_time_of_its_own) {
  SimulationContext first, second;
  {
    const SimulationContext::Current current(first);
    const Simulation simulation;
    sc_core::sc_start(sc_core::sc_time::from_value(5));
    EXPECT_EQ(5U, sc_core::sc_time_stamp().value());
  }
  {
    const SimulationContext::Current current(second);
    const Simulation simulation;
    EXPECT_EQ(sc_core::SC_ELABORATION, sc_core::sc_get_status());
    sc_core::sc_start(sc_core::sc_time::from_value(3));
  }
  const SimulationContext::Current current(first);
  EXPECT_EQ(5U, sc_core::sc_time_stamp().value());
}

TEST(SimulationContext, a_simulation_of_the_program_finds_everything_as_it_was) {
  sc_core::sc_simcontext* const context = sc_core::sc_get_curr_simcontext();
  const auto before = sc_core::sc_report_handler::get_handler();
  const sc_core::sc_report_handler_proc handler = [](const sc_core::sc_report&, const sc_core::sc_actions&) {};
  sc_core::sc_report_handler::set_handler(handler);
  {
    SimulationContext ours;
    const SimulationContext::Current current(ours);
    const Simulation simulation;
    EXPECT_NE(context, sc_core::sc_get_curr_simcontext());
    EXPECT_NE(handler, sc_core::sc_report_handler::get_handler());
  }
  EXPECT_EQ(context, sc_core::sc_get_curr_simcontext());
  EXPECT_EQ(handler, sc_core::sc_report_handler::get_handler());
  sc_core::sc_report_handler::set_handler(before);
}

}  // namespace
}  // namespace teslasim
