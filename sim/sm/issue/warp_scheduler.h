// SPDX-License-Identifier: Apache-2.0
// Which of the ready warps issues: the policy interface and its table.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sim/base/types.h"

namespace teslasim {

/// A policy sees only what it may use and returns a choice; it cannot touch warps. Contract: `pick` is called with a
/// non-empty mask and returns the index of a set bit; its only state is its own, changed only by the calls below.
class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;
  /// Chooses among `ready` (bit i = warp slot i is ready and its pipe is free). The chosen warp issues in this cycle.
  virtual unsigned pick(LaneMask ready) = 0;
  /// The warps first..first+count-1 became resident, younger than all others.
  virtual void arrive(unsigned first, unsigned count) = 0;
  /// Back to the state at the start of a launch.
  virtual void reset() = 0;
};

struct WarpSchedulerRow {
  std::string_view name;  ///< value of the key sm.scheduler
  std::string_view description;
  std::unique_ptr<WarpScheduler> (*make)();
};

[[nodiscard]] std::span<const WarpSchedulerRow> warp_schedulers();
/// Precondition: `name` is in the table (the configuration was checked).
[[nodiscard]] std::unique_ptr<WarpScheduler> make_warp_scheduler(std::string_view name);

[[nodiscard]] std::unique_ptr<WarpScheduler> make_loose_round_robin();
[[nodiscard]] std::unique_ptr<WarpScheduler> make_oldest();

}  // namespace teslasim
