// SPDX-License-Identifier: Apache-2.0
// A SystemC context of its own, for tests that need several simulations in one process.
#pragma once

#include <memory>
#include <systemc>

#include "sim/engine/simulation.h"

namespace teslasim::testing {

/// Swaps SystemC's current context for a fresh one while it lives. Build the modules inside and destroy them before it.
class SystemCContext {
 public:
  /// Whether the context also sets up the time engine, or leaves that to what is built inside (as GpuSimulator does).
  enum class Engine : std::uint8_t { set_up, left_to_the_model };

  explicit SystemCContext(Engine engine = Engine::set_up)
      : outer_(sc_core::sc_get_curr_simcontext()), context_(std::make_unique<sc_core::sc_simcontext>()) {
    sc_core::sc_curr_simcontext = context_.get();
    if (engine == Engine::set_up) simulation_ = std::make_unique<Simulation>();
  }
  ~SystemCContext() {
    context_.reset();
    sc_core::sc_curr_simcontext = outer_;
  }
  SystemCContext(const SystemCContext&) = delete;
  SystemCContext& operator=(const SystemCContext&) = delete;

 private:
  sc_core::sc_simcontext* outer_;
  std::unique_ptr<sc_core::sc_simcontext> context_;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace teslasim::testing
