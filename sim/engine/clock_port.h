// SPDX-License-Identifier: Apache-2.0
// The `clk` port of a module, and the module's number on the clock behind it.
#pragma once

#include <string>
#include <systemc>

#include "sim/engine/clock_domain.h"

namespace teslasim {

/// Bound like the port of an sc_clock: `module.clk(domain)`.
class ClockPort final : public sc_core::sc_port<ClockInterface> {
 public:
  explicit ClockPort(const char* name) : sc_port(name) {}

  /// Call it in the module's end_of_elaboration, or in start_of_simulation.
  void subscribe(Clocked& unit, std::string name) {
    clock_ = (*this)[0];
    id_ = clock_->subscribe(unit, std::move(name));
  }
  /// See ClockInterface::wake.
  void wake(Femtoseconds when) { clock_->wake(id_, when); }

 private:
  ClockInterface* clock_ = nullptr;  ///< kept because looking through the port costs a call
  std::size_t id_ = 0;
};

}  // namespace teslasim
