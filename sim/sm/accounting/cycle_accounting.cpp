// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/accounting/cycle_accounting.h"

#include "sim/base/interval_statistics.h"
#include "sim/sm/accounting/issue_charges.h"
#include "sim/sm/accounting/reason_order.h"

namespace teslasim {
namespace {

void blame(PcStatistics& pc, std::uint32_t producer, SmCycle cycles) {
  for (auto& [known, total] : pc.blamed) {
    if (known == producer) {
      total += cycles.count();
      return;
    }
  }
  pc.blamed.emplace_back(producer, cycles.count());
}

}  // namespace

void CycleAccounting::begin(SmStatistics& sm, std::vector<PcStatistics>& pcs, SmObserver* observer,
                            NarrowIntervalSeries* intervals) {
  sm_ = &sm;
  pcs_ = &pcs;
  recorder_.begin(sm);
  observe(observer);
  run_start_ = 0;
  run_queued_ = 0;
  resident_ = 0;
  received_ = false;
  for (Warp& warp : warps_) warp = Warp{};
  interval_.begin(intervals, sm);
}

void CycleAccounting::arrive(unsigned first, unsigned count, SmCycle now, SmCycle set_up, const ArrivingBlock& block) {
  if (resident_ == 0) {
    charge_to(now, [&] { add_slots_without_pc(SlotReason::empty_start, run_start_, now); });
    run_start_ = now;
    run_queued_ = pipes_.queue->cycles_before(now);
  }
  received_ = true;
  resident_ += count;
  if (recorder_.active()) recorder_.arrive(first, count, now, block);
  for (unsigned i = first; i < first + count; ++i) {
    warps_[i].count = 0;
    warps_[i].resident = true;
    warps_[i].arrival = now;
    push(warps_[i], SlotReason::empty_start, now, no_producer);
    push(warps_[i], SlotReason::fetch, set_up, no_producer);
  }
}

void CycleAccounting::tell_slots(SlotReason reason, SmCycle begin, SmCycle end) {
  if (interval_.spread() != nullptr) interval_.spread()->add(static_cast<unsigned>(reason), begin, end);
  if (observer_ != nullptr) observer_->slots(reason, begin, end);
}

void CycleAccounting::add_slots_without_pc(SlotReason reason, SmCycle begin, SmCycle end) {
  add_slots(reason, begin, end);
  sm_->slots_without_pc[reason] += (end - begin).count();
}

inline void CycleAccounting::add_slots(SlotReason reason, SmCycle begin, SmCycle end, PcStatistics& pc,
                                       std::uint32_t producer) {
  if (begin == end) return;
  add_slots(reason, begin, end);
  pc.slots[reason] += (end - begin).count();
  if (producer != no_producer) blame(pc, producer, end - begin);
}

void CycleAccounting::charge_ready_run(const Segment& segment, const PipeCounters& counters, SmCycle begin, SmCycle end,
                                       PcStatistics& pc) {
  // No warp issued in these cycles, so this one was not passed over: its pipe was busy, the collectors of the pipe
  // were, or its queue was full.
  const SmCycle collected = begin + pipes_.of(segment.pipe).collecting_in(begin, end);
  SmCycle queued = collected;
  if (segment.pipe == Pipe::memory) {
    queued += pipes_.queue->cycles_before(end) - (begin == run_start_ ? run_queued_ : counters.queued);
  }
  add_slots(SlotReason::pipe_collector, begin, collected, pc, no_producer);
  add_slots(SlotReason::mem_queue, collected, queued, pc, no_producer);
  add_slots(pipe_reason(segment.pipe), queued, end, pc, no_producer);
}

void CycleAccounting::charge_run(const Warp& warp, SmCycle end, std::uint32_t instruction) {
  PcStatistics& pc = (*pcs_)[instruction];
  const SmCycle run_start = run_start_;
  SmCycle stop = end;
  for (unsigned i = warp.count; i-- > 0 && stop > run_start;) {
    const Segment& segment = warp.segments[i];
    const SmCycle begin = greater(segment.begin, run_start);
    if (begin >= stop) continue;
    if (segment.reason == SlotReason::not_selected) {
      charge_ready_run(segment, warp.ready, begin, stop, pc);
    } else {
      add_slots(segment.reason, begin, stop, pc, segment.producer);
    }
    stop = begin;
  }
  if (stop > run_start) charge_ladder(run_start, stop);  // before this warp was resident
}

/// Before the last charge, which drops what lies ahead. Nothing follows the state of a warp that has finished.
void CycleAccounting::record_finish(unsigned first, unsigned count, SmCycle end) {
  for (unsigned i = first; i < first + count; ++i) {
    const Warp& warp = warps_[i];
    if (!warp.resident || warp.count == 0) continue;
    const Segment& last = warp.segments[warp.count - 1];
    if (last.reason == SlotReason::finished && last.begin <= end) recorder_.finish(i, last.begin);
  }
}

void CycleAccounting::retire(unsigned first, unsigned count, SmCycle now) {
  // Slots that no issue will end any more: charged while the states of the leaving warps are still known.
  if (resident_ == count && run_start_ < now) {
    charge_to(now, [&] { charge_ladder(run_start_, now); });
    run_start_ = now;
    run_queued_ = pipes_.queue->cycles_before(now);
  }
  interval_.active(warps_[first].arrival, now, count);
  if (recorder_.active()) [[unlikely]] {
    record_finish(first, count, now);
    recorder_.leave(first, count, now);
  }
  for (unsigned i = first; i < first + count; ++i) {
    charge_warp_cycles(i, now);
    sm_->resident_warp_cycles += (now - warps_[i].arrival).count();
    warps_[i].resident = false;
    warps_[i].count = 0;
  }
  resident_ -= count;
}

void CycleAccounting::finish(SmCycle end) {
  interval_.close();
  if (recorder_.active()) {
    record_finish(0, static_cast<unsigned>(warps_.size()), end);
    recorder_.settle();
  }
  if (resident_ != 0) {
    if (run_start_ < end) charge_ladder(run_start_, end);
    for (unsigned i = 0; i < warps_.size(); ++i) {
      Warp& warp = warps_[i];
      if (!warp.resident) continue;
      charge_warp_cycles(i, end);
      interval_.active(warp.arrival, end, 1);
      sm_->resident_warp_cycles += (end - warp.arrival).count();
      warp.resident = false;
    }
    resident_ = 0;
  } else if (run_start_ < end) {
    add_slots_without_pc(received_ ? SlotReason::empty_tail : SlotReason::empty_occupancy, run_start_, end);
  }
  run_start_ = end;
}

SlotReason CycleAccounting::ladder_choice(SmCycle cycle, SmCycle& until) const {
  SlotReason best = SlotReason::empty_start;
  for (const Warp& warp : warps_) {
    if (!warp.resident) continue;
    for (unsigned i = 0; i < warp.count; ++i) {
      const Segment& segment = warp.segments[i];
      if (segment.begin > cycle) {
        until = lesser(until, segment.begin);
        break;
      }
      if (i + 1 < warp.count && warp.segments[i + 1].begin <= cycle) continue;
      const SlotReason reason = segment.reason == SlotReason::not_selected ? pipe_reason(segment.pipe) : segment.reason;
      if (rank(reason) < rank(best)) best = reason;
    }
  }
  return as_slot(best);
}

void CycleAccounting::charge_ladder(SmCycle begin, SmCycle end) {
  while (begin < end) {
    SmCycle until = end;
    const SlotReason reason = ladder_choice(begin, until);
    add_slots_without_pc(reason, begin, until);
    begin = until;
  }
}

SlotReason CycleAccounting::state(WarpSlot warp) const {
  const Warp& record = warps_[warp];
  return record.count == 0 ? SlotReason::empty_start : record.segments[record.count - 1].reason;
}

SmCycle CycleAccounting::state_begin(WarpSlot warp) const {
  const Warp& record = warps_[warp];
  return record.count == 0 ? record.arrival : record.segments[record.count - 1].begin;
}

std::optional<SlotReason> CycleAccounting::state_in(WarpSlot warp, SmCycle now) const {
  const Warp& record = warps_[warp];
  if (!record.resident) return std::nullopt;
  for (unsigned i = record.count; i-- > 0;) {
    if (record.segments[i].begin <= now) return record.segments[i].reason;
  }
  return last_use_;  // every segment lies ahead: it issued in this cycle
}

SlotReason CycleAccounting::slot_in(SmCycle now) const {
  if (run_start_ > now) return last_use_;
  if (resident_ == 0) return received_ ? SlotReason::empty_tail : SlotReason::empty_start;
  SmCycle until = now + 1;
  return ladder_choice(now, until);
}

void CycleAccounting::charge_observed_segments(unsigned index, SmCycle end) {
  charge_segments<Observed::yes>(index, end);
}

}  // namespace teslasim
