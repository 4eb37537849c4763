// SPDX-License-Identifier: Apache-2.0
// What is counted of the instructions that issue.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"
#include "sim/exec/warp_inst.h"
#include "sim/sm/in_flight_instruction.h"

namespace teslasim {

/// Counts the first pass of each instruction for its SM, for its address, and as the profiler of the hardware does.
class IssueCounters {
 public:
  /// A new launch; both outlive it. `profile` is null unless the profiler watches this SM.
  void begin(SmStatistics& statistics, ProfilerCounters* profile) {
    statistics_ = &statistics;
    profile_ = profile;
    active_lanes_ = 0;
  }
  /// The instruction of the record has issued and did what `performed` says.
  void count(const InFlightInstruction& record, const WarpInst& performed) {
    const unsigned executed = lanes_in(performed.executed);
    ++statistics_->warp_instructions;
    statistics_->thread_instructions += executed;
    ++record.counts->warp_issues;
    record.counts->thread_issues += executed;
    record.counts->null_issues += record.executed ? 0 : 1;
    record.counts->divergent += performed.divergent ? 1 : 0;
    active_lanes_ += lanes_in(performed.active);
    if (profile_ != nullptr) count_profile(record, performed);
  }
  /// Lanes active before the guard, summed over the instructions that issued.
  [[nodiscard]] std::uint64_t active_lanes() const { return active_lanes_; }

 private:
  static constexpr unsigned lanes_in(LaneMask lanes) {
    return lanes == all_lanes ? warp_size : static_cast<unsigned>(std::popcount(lanes));
  }
  void count_profile(const InFlightInstruction& record, const WarpInst& performed) {
    ProfilerCounters& profile = *profile_;
    ++profile[ProfilerCounter::instructions];
    const bool barrier = record.instruction->opcode == Opcode::bar;
    if (barrier || (record.timing->control_transfer && record.executed)) ++profile[ProfilerCounter::branch];
    if (performed.divergent) ++profile[ProfilerCounter::divergent_branch];
  }

  SmStatistics* statistics_ = nullptr;
  ProfilerCounters* profile_ = nullptr;
  std::uint64_t active_lanes_ = 0;
};

}  // namespace teslasim
