// SPDX-License-Identifier: Apache-2.0
// How the caches for instructions and constants are joined.
#pragma once

#include <systemc>

#include "memory/cache/line_request.h"
#include "sim/engine/clock_port.h"

namespace teslasim {

/// A wire that carries line requests down, or lines up.
class LineInterface : public virtual sc_core::sc_interface, public LineReceiver {};

/// Hands lines or requests to a member function of the core and wakes the module for the time that this returns.
template <class Core, Femtoseconds (Core::*entry)(unsigned port, const LineRequest& request)>
class LineGate final : public LineInterface {
 public:
  LineGate(Core& core, ClockPort& clock) : core_(core), clock_(clock) {}
  void receive_line(unsigned port, const LineRequest& request) override {
    const Femtoseconds wanted = (core_.*entry)(port, request);
    if (wanted != never) clock_.wake(wanted);
  }

 private:
  Core& core_;
  ClockPort& clock_;
};

}  // namespace teslasim
