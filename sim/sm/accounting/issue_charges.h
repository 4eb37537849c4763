// SPDX-License-Identifier: Apache-2.0
// What CycleAccounting charges when a warp issues: in line, for the one place that an SM issues at.
#pragma once

#include "sim/base/interval_statistics.h"
#include "sim/sm/accounting/cycle_accounting.h"
#include "sim/sm/accounting/reason_order.h"

namespace teslasim {

template <typename Charges>
inline void CycleAccounting::charge_to(SmCycle end, const Charges& charges) {
  const bool leaves = interval_.ends_before(end);
  if (leaves) interval_.close();
  charges();
  if (leaves) interval_.open(end - 1);
}

inline void CycleAccounting::tell_state(unsigned index, SlotReason state, SmCycle begin, SmCycle end,
                                        std::uint32_t producer) {
  if (recorder_.active()) recorder_.charge(index, state, end - begin);
  if (observer_ != nullptr) observer_->warp_state(index, state, begin, end, producer);
}

/// A ready warp: first the cycles in which its unit could not take it, then those in which others were chosen.
template <CycleAccounting::Observed observed>
inline void CycleAccounting::charge_ready_cycles(unsigned index, const Segment& segment, const PipeCounters& counters,
                                                 SmCycle end) {
  PerReason<>& totals = sm_->warp_cycles;
  const StartAccount& unit = pipes_.of(segment.pipe);
  SmCycle begin = segment.begin;
  const auto charge = [&](SlotReason state, SmCycle cycles) {
    if (cycles == 0) return;
    totals[state] += cycles.count();
    if constexpr (observed == Observed::yes) tell_state(index, state, begin, begin + cycles, segment.producer);
    begin += cycles;
  };
  charge(pipe_reason(segment.pipe), unit.blocked_before(end) - counters.blocked);
  charge(SlotReason::pipe_collector, unit.collecting_before(end) - counters.collecting);
  if (segment.pipe == Pipe::memory) charge(SlotReason::mem_queue, pipes_.queue->cycles_before(end) - counters.queued);
  const SmCycle eligible_from = begin;
  charge(SlotReason::not_selected, end - begin);
  interval_.eligible(eligible_from, end);
}

template <CycleAccounting::Observed observed>
[[gnu::always_inline]] inline void CycleAccounting::charge_segments(unsigned index, SmCycle end) {
  if constexpr (observed == Observed::yes) {
    if (recorder_.active()) recorder_.settle(index);
  }
  Warp& warp = warps_[index];
  unsigned count = warp.count;
  while (count != 0 && warp.segments[count - 1].begin >= end) --count;
  warp.count = count;
  warp.segments[count].begin = end;
  PerReason<>& cycles = sm_->warp_cycles;
  SmCycle begin = warp.segments[0].begin;
  for (unsigned i = 0; i < count; ++i) {
    const Segment& segment = warp.segments[i];
    const SmCycle stop = warp.segments[i + 1].begin;
    if (segment.reason == SlotReason::not_selected) {
      charge_ready_cycles<observed>(index, segment, warp.ready, stop);
    } else {
      cycles[segment.reason] += (stop - begin).count();
      if constexpr (observed == Observed::yes) tell_state(index, segment.reason, begin, stop, segment.producer);
    }
    begin = stop;
  }
}

/// Closes the segments of the warp at cycle `end`, without those that were planned for later.
[[gnu::always_inline]] inline void CycleAccounting::charge_warp_cycles(unsigned index, SmCycle end) {
  if (!told_) [[likely]]
    charge_segments<Observed::no>(index, end);
  else
    charge_observed_segments(index, end);
}

[[gnu::always_inline]] inline void CycleAccounting::add_slots(SlotReason reason, SmCycle begin, SmCycle end) {
  sm_->slots[reason] += (end - begin).count();
  if (interval_.spread() != nullptr || observer_ != nullptr) [[unlikely]]
    tell_slots(reason, begin, end);
}

[[gnu::always_inline]] inline void CycleAccounting::issue(WarpSlot index, SmCycle now, std::uint32_t instruction,
                                                          SlotReason use, SlotReason after) {
  Warp& warp = warps_[index];
  charge_to(now + 1, [&] {
    charge_warp_cycles(index, now);
    if (run_start_ < now) charge_run(warp, now, instruction);
    charge_issue(index, now, instruction, use);
  });
  run_start_ = now + 1;
  last_use_ = use;
  run_queued_ = pipes_.queue->cycles_before(now + 1);
  warp.count = 0;
  push(warp, after, now + 1, no_producer);
}

inline void CycleAccounting::charge_issue(unsigned index, SmCycle now, std::uint32_t instruction, SlotReason use) {
  sm_->slots[use] += 1;
  if (interval_.spread() != nullptr) {
    interval_.spread()->add_at(static_cast<unsigned>(use), now, 1);
    interval_.spread()->add_at(interval_eligible, now, 1);
  }
  if (observer_ != nullptr) observer_->slots(use, now, now + 1);
  (*pcs_)[instruction].slots[use] += 1;
  const SlotReason state = use == SlotReason::issued ? SlotReason::issuing : SlotReason::issuing_replay;
  sm_->warp_cycles[state] += 1;
  if (observer_ != nullptr) observer_->warp_state(index, state, now, now + 1, instruction);
  ++sm_->issue_events;
}

}  // namespace teslasim
