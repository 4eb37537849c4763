// SPDX-License-Identifier: Apache-2.0
// The account of single warps of an SM.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"

namespace teslasim {

/// A block whose warps arrive.
struct ArrivingBlock {
  BlockIndex block = 0;
  unsigned slot = 0;
};

/// Writes down what CycleAccounting charges, once more, for the warp that it is charged to. Each resident warp has a
/// place in the records, so nothing is moved when it leaves; those that are not kept share one. What an issue counts is
/// taken from the growth of the totals of the SM, which issues one instruction at a time: so an SM whose warps are not
/// recorded has nothing to ask when it issues. Stands for no hardware. Units: SM cycles.
class WarpRecorder {
 public:
  explicit WarpRecorder(unsigned warps) : places_(warps, nullptr) {}

  /// A new launch. `sm` outlives it; its `warps` say whether anything is to be recorded.
  void begin(SmStatistics& sm) {
    sm_ = &sm;
    active_ = sm.warps.kept;
    issuer_ = nullptr;
    instructions_ = thread_instructions_ = first_passes_ = replays_ = 0;
  }
  [[nodiscard]] bool active() const { return active_; }
  /// The rest: only when active.
  void arrive(unsigned first, unsigned count, SmCycle now, const ArrivingBlock& place);
  void charge(unsigned warp, SlotReason state, SmCycle cycles) { places_[warp]->cycles[state] += cycles.count(); }
  /// Before the states of a warp are charged. The SM has counted the instruction that the warp issues, if it does; the
  /// cycle of the pass is counted behind this, and found when the next warp is charged.
  void settle(unsigned warp) {
    settle();
    issuer_ = places_[warp];
    issuer_->instructions += grown(sm_->warp_instructions, instructions_);
    issuer_->thread_instructions += grown(sm_->thread_instructions, thread_instructions_);
  }
  /// The last pass, when no warp will be charged any more.
  void settle() {
    const auto add = [this](SlotReason state, std::uint64_t& seen) {
      const std::uint64_t passes = grown(sm_->warp_cycles[state], seen);
      if (passes != 0) issuer_->cycles[state] += passes;
    };
    add(SlotReason::issuing, first_passes_);
    add(SlotReason::issuing_replay, replays_);
  }
  void finish(unsigned warp, SmCycle now) { places_[warp]->finish = now; }
  /// `now` is the first cycle without the warps.
  void leave(unsigned first, unsigned count, SmCycle now) {
    for (unsigned i = first; i < first + count; ++i) places_[i]->end = now;
  }

 private:
  static std::uint64_t grown(std::uint64_t total, std::uint64_t& seen) { return total - std::exchange(seen, total); }

  std::vector<WarpTimes*> places_;  ///< by warp slot
  SmStatistics* sm_ = nullptr;
  bool active_ = false;
  WarpTimes* issuer_ = nullptr;  ///< what the totals of passes grew by is its
  std::uint64_t instructions_ = 0, thread_instructions_ = 0, first_passes_ = 0, replays_ = 0;  ///< totals as seen last
};

}  // namespace teslasim
