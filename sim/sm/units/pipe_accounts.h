// SPDX-License-Identifier: Apache-2.0
// Which account says what kept the instructions of a pipe from starting.
#pragma once

#include <array>

#include "sim/sm/instruction_timing.h"
#include "sim/sm/memory/queue_hold.h"
#include "sim/sm/units/start_account.h"

namespace teslasim {

/// The accounts of all pipes, each kept by its unit, and of the queue to the TPC. A pipe that is never taken has an
/// empty account.
struct PipeAccounts {
  static constexpr StartAccount untaken{};
  static constexpr QueueHold unheld{};

  PipeAccounts() { starts.fill(&untaken); }

  std::array<const StartAccount*, pipe_count> starts{};
  const QueueHold* queue = &unheld;

  [[nodiscard]] const StartAccount& of(Pipe pipe) const { return *starts[static_cast<unsigned>(pipe)]; }
};

}  // namespace teslasim
