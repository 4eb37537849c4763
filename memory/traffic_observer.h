// SPDX-License-Identifier: Apache-2.0
// What the crossbar and the partitions report to an observer of traffic over time.
#pragma once

#include <cstdint>

#include "sim/base/pipeline_events.h"
#include "sim/base/types.h"

namespace teslasim {

/// Hooks of the memory side. Crossbar and partitions hold a pointer that is null when nobody listens. Nothing that an
/// observer does can change the simulation.
class TrafficObserver {
 public:
  virtual ~TrafficObserver() = default;

  struct Served {
    unsigned partition = 0;
    std::uint32_t bytes = 0;
    bool write = false;
    std::uint64_t row_hits = 0;      ///< of this transaction: 0 or 1
    std::uint64_t queue_cycles = 0;  ///< memory cycles x transactions in the controller, since the one served before
  };
  enum class Way : std::uint8_t { request, reply };
  /// The chips served a transaction.
  virtual void served(const Served& transaction, Femtoseconds now) = 0;
  /// A transaction waited in the crossbar from `since` on and has left it.
  virtual void passed_crossbar(Way way, Femtoseconds since, Femtoseconds now) = 0;
};

/// Told of every command that a memory controller gives its chips. Null when nobody listens; cannot change anything.
class DramCommandObserver {
 public:
  virtual ~DramCommandObserver() = default;
  virtual void command(const PipelineEvents::DramCommand& command) = 0;
};

}  // namespace teslasim
