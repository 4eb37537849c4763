// SPDX-License-Identifier: Apache-2.0
// Several simulations in one process. SystemC elaborates once in a context, and knows one current context: each
// simulation gets a context of its own, which is current while the simulation is built, runs or goes.
//
// The current context is a global variable of SystemC, and so is what it does with its warnings: two simulations do not
// run at once. A program with a simulation of its own finds both as it left them.
#pragma once

#include <memory>

namespace teslasim {

class SimulationContext {
 public:
  SimulationContext();
  ~SimulationContext();  ///< what was built in it must be gone
  SimulationContext(const SimulationContext&) = delete;
  SimulationContext& operator=(const SimulationContext&) = delete;

  /// Makes a context the current one while it lives. Not to be nested with one of another thread.
  class Current {
   public:
    explicit Current(SimulationContext& context);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    struct Outer;
    std::unique_ptr<Outer> outer_;
  };

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace teslasim
