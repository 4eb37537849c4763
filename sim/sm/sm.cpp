// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/sm.h"

#include <algorithm>

namespace teslasim {

Sm::Sm(const SmParameters& parameters)
    : parameters_(parameters),
      calendar_(
          calendar_horizon(*parameters.spec, SmCycle{parameters.block_launch_cycles} * (parameters.block_slots + 1))),
      blocks_({parameters.block_slots, parameters.warp_slots, parameters.block_launch_cycles, parameters.early_release,
               parameters.spec->finished_warps_hold_barriers}),
      execute_(*parameters.spec, parameters.coalescing, parameters.link, parameters.warp_slots),
      accounting_(parameters.warp_slots, execute_.accounts()),
      front_end_(parameters.spec->icache, parameters.warp_slots,
                 std::max(1U, sm_cycles(parameters.spec->warp_issue_gap_cycles)), pool_, calendar_, accounting_),
      issue_(parameters.warp_slots, parameters.spec->max_memory_transactions_per_thread,
             make_warp_scheduler(parameters.spec->scheduler, {parameters.spec->scheduler_group_warps}), accounting_,
             MultiplierChoice(parameters.spec->dual_issue_share)),
      write_back_(execute_.registers(), issue_.scoreboard(), calendar_,
                  std::max(1U, sm_cycles(parameters.spec->latency.writeback))) {}

void Sm::begin(const SmLaunch& launch) {
  launch_ = launch;
  if (launch.performed == nullptr && !own_performed_) own_performed_ = std::make_unique<WarpInst>();
  performed_ = launch.performed != nullptr ? launch.performed : own_performed_.get();
  pool_.clear();
  calendar_.clear();
  blocks_.begin(*launch.launch, *launch.statistics, launch.block_limit, launch.block_pace);
  accounting_.begin(*launch.statistics, *launch.pcs, launch.observer, launch.intervals);
  LineLink lines = parameters_.lines;
  lines.receiver = launch.lines;
  execute_.begin(
      {launch.memory, lines, &launch.statistics->banks, launch.observer, launch.sm_profile, launch.tpc_profile});
  front_end_.begin({launch.stream, launch.timing, launch.pcs, launch.observer, lines, launch.code});
  issue_.begin(*launch.stream, launch.register_sets);
  write_back_.begin();
  counters_.begin(*launch.statistics, launch.sm_profile);
  next_message_ = never;
  last_issue_ = 0;
  running_ = 0;
  clock_stopped_ = 0;
  lines_.clear();
}

void Sm::observe(SmObserver* observer, SmCycle now) {
  launch_.observer = observer;
  accounting_.observe(observer);
  execute_.observe(observer);
  front_end_.observe(observer);
  if (observer == nullptr) return;
  blocks_.for_each_resident([&](unsigned slot, BlockIndex block) {
    observer->block_started(slot, block, blocks_.first_warp(slot), blocks_.warps_per_block(), now);
  });
}

void Sm::receive_block(SmCycle when, BlockIndex block, SmCycle clock_stopped) {
  blocks_.receive({when, block, clock_stopped});
  next_message_ = lesser(next_message_, when);
}
bool Sm::receive_response(SmCycle when, std::uint16_t tag) {
  if (!execute_.load_store().receive_response(when, tag)) return false;
  next_message_ = lesser(next_message_, when);
  return true;
}
bool Sm::receive_credit(SmCycle when) {
  execute_.load_store().receive_credit(when);
  next_message_ = lesser(next_message_, execute_.load_store().next_credit());
  return execute_.load_store().next_credit() != never;
}
void Sm::receive_line(SmCycle when, LineKind kind, Address line) {
  lines_.push({when, line, kind});
  next_message_ = lesser(next_message_, when);
}

void Sm::receive(SmCycle now) {
  execute_.load_store().take_credits(now);
  execute_.load_store().take_responses(now, [this, now](InFlightInstruction& record) { finish_load(record, now); });
  for (; !lines_.empty() && lines_.front().when <= now;) {
    const Line line = lines_.front();
    lines_.pop();
    take_line(line, now);
  }
  blocks_.take_arrivals(now, [this, now](const BlockSlots::Arrival& arrival) { start_block(arrival, now); });
  next_message_ = lesser(execute_.load_store().next_message(), blocks_.next_message());
  if (!lines_.empty()) next_message_ = lesser(next_message_, lines_.front().when);
}

void Sm::finish_load(InFlightInstruction& record, SmCycle now) {
  launch_.stream->complete(record.warp, *record.access);
  launch_.stream->release(*record.access);
  write_back_.accept_from_memory(record, now);
  blocks_.load_returned(record.warp);
  issue_.load_returned(record.warp, now);
}

void Sm::take_line(const Line& line, SmCycle now) {
  if (line.kind == LineKind::instruction) return front_end_.line_arrived(line.address, now);
  // All constants of the warp's instruction are there: it issues once more, then in further passes as its lanes need.
  execute_.constants().line_arrived(line.address, now, [this, now](WarpSlot warp) {
    InFlightInstruction& record = front_end_.slot(warp);
    record.replays.retry(Replays::Memory::constant);
    record.missing = false;
    record.replaying = true;
    issue_.accept_ready(record, now);
  });
}

void Sm::start_block(const BlockSlots::Arrival& arrival, SmCycle now) {
  clock_stopped_ = arrival.clock_stopped;
  const auto [slot, first, set_up] = blocks_.accept(arrival, now);
  const unsigned warps = blocks_.warps_per_block();
  if (launch_.sm_profile != nullptr) ++(*launch_.sm_profile)[ProfilerCounter::sm_cta_launched];
  if (launch_.tpc_profile != nullptr) ++(*launch_.tpc_profile)[ProfilerCounter::cta_launched];
  if (launch_.observer != nullptr) launch_.observer->block_started(slot, arrival.block, first, warps, now);
  launch_.stream->start_block(slot, arrival.block, first);
  issue_.arrive(first, warps);
  accounting_.arrive(first, warps, now, set_up, {arrival.block, slot});
  for (WarpSlot warp = first; warp < first + warps; ++warp) {
    front_end_.start(warp);
    front_end_.fetch(warp, now, greater(set_up, now + 1), set_up);
  }
}

/// A block leaves when all its warps have finished, its loads have returned and its results are written; `now` is the
/// first cycle without it.
void Sm::retire_if_done(unsigned block_slot, SmCycle now) {
  if (!blocks_.done(block_slot)) return;
  const unsigned first = blocks_.first_warp(block_slot);
  const unsigned warps = blocks_.warps_per_block();
  for (WarpSlot warp = first; warp < first + warps; ++warp) {
    if (!issue_.scoreboard().empty(warp)) return;
  }
  launch_.stream->finish_block(block_slot);
  accounting_.retire(first, warps, now);
  if (launch_.observer != nullptr) launch_.observer->block_finished(block_slot, now);
  asked_ = true;
  const BlockIndex block = blocks_.retire(block_slot, now);
  launch_.completion->block_completed(parameters_.link.sm, block, now * parameters_.link.cycle);
}

std::string Sm::barrier_cause() const {
  return blocks_.barrier_cause([this](WarpSlot warp) { return info(accounting_.state(warp)).name; });
}

void Sm::view_warps(std::vector<WarpView>& warps) const {
  blocks_.for_each_resident([&](unsigned slot, BlockIndex block) {
    for (unsigned number = 0; number < blocks_.warps_per_block(); ++number) {
      const WarpSlot warp = blocks_.first_warp(slot) + number;
      WarpView view{block, slot, number, front_end_.next(warp), 0, SlotReason::finished, blocks_.finish_cycle(warp),
                    warp};
      if (view.next != nullptr) {
        view.active = launch_.stream->active(warp);
        view.state = accounting_.state(warp);
        view.since = accounting_.state_begin(warp);
        view.begun = front_end_.begun(warp);
      }
      warps.push_back(view);
    }
  });
}

void Sm::describe_queues(std::vector<std::string>& lines) const {
  const std::string name = "SM " + std::to_string(parameters_.link.sm);
  blocks_.describe_arrivals(name, lines);
  execute_.load_store().describe_pending(name, lines);
  if (const std::size_t count = front_end_.lines_under_way() + execute_.constants().lines_under_way(); count != 0) {
    lines.push_back(name + ": " + std::to_string(count) + " lines of code and constants under way");
  }
}

void Sm::describe_pending(std::vector<std::string>& lines) const {
  describe_queues(lines);
  const std::string name = "SM " + std::to_string(parameters_.link.sm);
  blocks_.describe_pending(
      name, [this](WarpSlot warp) { return info(accounting_.state(warp)).name; }, lines);
}

}  // namespace teslasim
