// SPDX-License-Identifier: Apache-2.0
// The SM's link to the second-level cache for instructions and constants.
#pragma once

#include "memory/cache/line_request.h"
#include "sim/base/types.h"

namespace teslasim {

/// Turns a miss of a first-level cache in SM cycle `now` into a stamped request.
struct LineLink {
  Femtoseconds cycle = 1;            ///< length of an SM cycle
  Femtoseconds request_latency = 1;  ///< SM to the second level
  unsigned port = 0;                 ///< this SM's port there
  LineReceiver* receiver = nullptr;

  void ask(LineKind kind, Address line, unsigned bytes, SmCycle now) const {
    receiver->receive_line(port, {now * cycle + request_latency, line, static_cast<std::uint16_t>(bytes), kind});
  }
};

}  // namespace teslasim
