// SPDX-License-Identifier: Apache-2.0
// Which of the ready warps issues: the policy interface, and the policies, which are the rows of schedulers.def.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sim/base/types.h"

namespace teslasim {

/// What a policy may see in one cycle; bit i stands for warp slot i.
struct IssueCandidates {
  LaneMask ready = 0;   ///< the warp's instruction is ready and a unit for it is free
  LaneMask scarce = 0;  ///< those of `ready` for a unit other than the MAD: special functions, f64, memory
};

/// A policy sees only what it may use and returns a choice; it cannot touch warps. Contract: `pick` is called with at
/// least one ready warp and returns the index of a set bit; its only state is its own, changed only by the calls below.
class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;
  /// What `pick` says, kept for waveforms.
  WarpSlot choose(const IssueCandidates& candidates) {
    chosen_ = pick(candidates);
    return chosen_;
  }
  /// The warp that was chosen last.
  [[nodiscard]] unsigned chosen() const { return chosen_; }
  /// Chooses among the ready warps. The chosen one issues in this cycle.
  virtual unsigned pick(const IssueCandidates& candidates) = 0;
  /// The warps first..first+count-1 became resident, younger than all others.
  virtual void arrive(unsigned first, unsigned count) = 0;
  /// The warp has ended: it is not ready any more until it arrives again.
  virtual void leave(WarpSlot warp) { static_cast<void>(warp); }
  /// Back to the state at the start of a launch.
  virtual void reset() = 0;

 private:
  unsigned chosen_ = 0;
};

/// Parameters of all policies.
struct WarpSchedulerParameters {
  unsigned group_warps = 8;  ///< two_level: warps of one fetch group, a power of two
};

struct WarpSchedulerRow {
  std::string_view name;  ///< value of the key sm.scheduler
  std::string_view description;
  std::unique_ptr<WarpScheduler> (*make)(const WarpSchedulerParameters& parameters);
};

[[nodiscard]] std::span<const WarpSchedulerRow> warp_schedulers();
/// Precondition: `name` is in the table (the configuration was checked).
[[nodiscard]] std::unique_ptr<WarpScheduler> make_warp_scheduler(std::string_view name,
                                                                 const WarpSchedulerParameters& parameters = {});

#define SCHEDULER(name, description) \
  [[nodiscard]] std::unique_ptr<WarpScheduler> make_##name(const WarpSchedulerParameters& parameters);
#include "sim/sm/issue/schedulers.def"
#undef SCHEDULER

}  // namespace teslasim
