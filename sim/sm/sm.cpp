// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/sm.h"

#include <algorithm>
#include <bit>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

/// The calendar must reach as far as the longest latency, the set-up of all blocks one after the other, and the fetch
/// of the first instruction of every warp.
Cycle calendar_horizon(const SmParameters& parameters) {
  const LatencySpec& latency = parameters.spec->latency;
  const unsigned longest = std::max({latency.alu, latency.sfu, latency.sfu_mul, latency.dp, latency.branch,
                                     latency.barrier, parameters.spec->warp_issue_gap_cycles, latency.writeback});
  const unsigned operands = 16 * latency.operand_read + latency.flags + latency.shared + latency.constant;
  // Instructions of all units, each with a full set of collectors, can be ahead at the warp's bank.
  const unsigned bank = pipe_count * OperandCollectors::most * 8 * latency.operand_read;
  return Cycle{longest} + operands + bank + Cycle{parameters.block_launch_cycles} * (parameters.block_slots + 1) + 256;
}

/// Stores and reductions return nothing, so that the limit on loads under way does not touch them.
bool is_answered(Opcode opcode) {
  return opcode != Opcode::store_global && opcode != Opcode::store_local && opcode != Opcode::red;
}

}  // namespace

Sm::Sm(const SmParameters& parameters)
    : parameters_(parameters),
      calendar_(calendar_horizon(parameters)),
      units_(parameters.spec->register_file.collectors_per_unit, sm_cycles(warp_size / parameters.spec->sp_lanes)),
      shared_memory_(parameters.spec->shared, sm_cycles(parameters.spec->latency.shared)),
      constants_(parameters.spec->const_cache, parameters.warp_slots, parameters.spec->shared.access_group,
                 sm_cycles(parameters.spec->latency.constant)),
      load_store_(parameters.coalescing, parameters.link,
                  parameters.warp_slots * parameters.spec->max_memory_transactions_per_thread),
      scoreboard_(parameters.warp_slots),
      accounting_(parameters.warp_slots, pipe_accounts()),
      fetch_(parameters.spec->icache, parameters.warp_slots),
      registers_(parameters.spec->register_file.banks, sm_cycles(parameters.spec->latency.operand_read)),
      write_back_(registers_, scoreboard_, calendar_, std::max(1U, sm_cycles(parameters.spec->latency.writeback))),
      scheduler_(make_warp_scheduler(parameters.spec->scheduler, {parameters.spec->scheduler_group_warps})),
      warps_(parameters.warp_slots),
      blocks_(parameters.block_slots),
      load_limit_(parameters.spec->max_memory_transactions_per_thread),
      gap_(std::max(1U, sm_cycles(parameters.spec->warp_issue_gap_cycles))) {}

/// What keeps the instructions of each pipe from starting: known to its unit.
PipeAccounts Sm::pipe_accounts() const {
  PipeAccounts accounts;
  for (const Pipe pipe : {Pipe::mad, Pipe::sfu, Pipe::dp, Pipe::mad_or_sfu, Pipe::mad_shared}) {
    accounts.starts[static_cast<unsigned>(pipe)] = &units_.account(pipe);
  }
  accounts.starts[static_cast<unsigned>(Pipe::memory)] = &load_store_.account();
  accounts.starts[static_cast<unsigned>(Pipe::barrier)] = &barrier_unit_.account();
  accounts.queue = &load_store_.hold();
  return accounts;
}

/// First cycle in which the unit of this pipe can take an instruction.
inline Cycle Sm::free_at(Pipe pipe) const {
  switch (pipe) {
    case Pipe::none:
      return 0;
    case Pipe::memory:
      return load_store_.free_at();
    case Pipe::barrier:
      return barrier_unit_.free_at();
    default:
      return units_.free_at(pipe);
  }
}

void Sm::begin(const SmLaunch& launch) {
  launch_ = launch;
  if (launch.performed == nullptr && !own_performed_) own_performed_ = std::make_unique<WarpInst>();
  performed_ = launch.performed != nullptr ? launch.performed : own_performed_.get();
  pool_.clear();
  units_.clear();
  barrier_unit_.clear();
  accounting_.begin(*launch.statistics, *launch.pcs, launch.observer, launch.intervals);
  load_store_.begin(*launch.memory, launch.tpc_profile);
  calendar_.clear();
  shared_memory_.begin(launch.statistics->banks);
  LineLink lines = parameters_.lines;
  lines.receiver = launch.lines;
  fetch_.begin(lines, launch.code);
  constants_.begin(lines);
  registers_.clear();
  scheduler_->reset();
  for (unsigned i = 0; i < warps_.size(); ++i) {
    warps_[i] = WarpSlot{};
    scoreboard_.clear(i);
  }
  for (BlockSlot& block : blocks_) block = BlockSlot{};
  ready_.fill(0);
  lanes_ = LaneCounters{};
  warps_per_block_ = launch.launch->warps_per_block();
  ready_pipes_ = 0;
  next_message_ = never;
  resident_blocks_ = released_blocks_ = 0;
  set_up_free_ = 0;
  last_issue_ = 0;
  clock_stopped_ = 0;
  arrivals_.clear();
  lines_.clear();
}

void Sm::receive_block(Cycle when, std::uint64_t block, Cycle clock_stopped) {
  arrivals_.push({when, block, clock_stopped});
  next_message_ = std::min(next_message_, when);
}
bool Sm::receive_response(Cycle when, std::uint16_t tag) {
  if (!load_store_.receive_response(when, tag)) return false;
  next_message_ = std::min(next_message_, when);
  return true;
}
bool Sm::receive_credit(Cycle when) {
  load_store_.receive_credit(when);
  next_message_ = std::min(next_message_, load_store_.next_credit());
  return load_store_.next_credit() != never;
}
void Sm::receive_line(Cycle when, LineKind kind, Address line) {
  lines_.push({when, line, kind});
  next_message_ = std::min(next_message_, when);
}

Cycle Sm::run(Cycle now, Cycle end) {
  while (now < end) {
    running_ = now;
    tick(now);
    now = next_wanted(now);
  }
  return now;
}

void Sm::tick(Cycle now) {
  if (next_message_ <= now) receive(now);
  calendar_.take(now, [this, now](const SmEvent& event) { deliver(event, now); });
  if (ready_pipes_ == 0) return;
  const IssueCandidates candidates = find_candidates(now);
  if (candidates.ready != 0) issue(scheduler_->pick(candidates), now);
}

/// The ready warps with a free unit. A multiplication waits while the MAD unit is free and others can only use that
/// one: it goes to the SFU when the MAD unit is taken.
IssueCandidates Sm::find_candidates(Cycle now) const {
  const auto ready = [this](Pipe pipe) { return ready_[static_cast<unsigned>(pipe)]; };
  IssueCandidates candidates;
  for (const Pipe pipe : {Pipe::sfu, Pipe::dp, Pipe::memory}) {
    if (ready(pipe) != 0 && free_at(pipe) <= now) candidates.scarce |= ready(pipe);
  }
  candidates.ready = candidates.scarce | ready(Pipe::none);
  if (ready(Pipe::barrier) != 0 && free_at(Pipe::barrier) <= now) candidates.ready |= ready(Pipe::barrier);
  LaneMask only_mad = free_at(Pipe::mad) <= now ? ready(Pipe::mad) : 0;
  if (ready(Pipe::mad_shared) != 0 && free_at(Pipe::mad_shared) <= now) only_mad |= ready(Pipe::mad_shared);
  candidates.ready |= only_mad;
  if (only_mad == 0 && ready(Pipe::mad_or_sfu) != 0 && free_at(Pipe::mad_or_sfu) <= now) {
    candidates.ready |= ready(Pipe::mad_or_sfu);
  }
  return candidates;
}

Cycle Sm::next_wanted(Cycle now) const {
  const Cycle soonest = now + 1;
  if (!parameters_.sleeping && resident_blocks_ != 0) return soonest;
  Cycle wanted = next_message_;
  for (unsigned left = ready_pipes_; left != 0; left &= left - 1) {
    wanted = std::min(wanted, free_at(static_cast<Pipe>(std::countr_zero(left))));
  }
  return wanted <= soonest ? soonest : std::min(wanted, calendar_.next(now));
}

void Sm::receive(Cycle now) {
  load_store_.take_credits(now);
  load_store_.take_responses(now, [this, now](InstructionRecord& record) { finish_load(record, now); });
  while (!lines_.empty() && lines_.front().when <= now) {
    const Line line = lines_.front();
    lines_.pop();
    arrive(line, now);
  }
  while (!arrivals_.empty() && arrivals_.front().when <= now) {
    const Arrival arrival = arrivals_.front();
    arrivals_.pop();
    start_block(arrival, now);
  }
  next_message_ = load_store_.next_message();
  if (!lines_.empty()) next_message_ = std::min(next_message_, lines_.front().when);
  if (!arrivals_.empty()) next_message_ = std::min(next_message_, arrivals_.front().when);
}

void Sm::finish_load(InstructionRecord& record, Cycle now) {
  launch_.stream->complete(record.warp, *record.access);
  launch_.stream->release(*record.access);
  write_back_.accept_from_memory(record, now);
  WarpSlot& slot = warps_[record.warp];
  --slot.loads_in_flight;
  --blocks_[slot.block_slot].loads_in_flight;
  if (slot.state == WarpState::limited) evaluate(record.warp, now, CycleAccounting::no_producer);
}

void Sm::deliver(const SmEvent& event, Cycle now) {
  InstructionRecord& record = *event.record;
  if (event.kind == SmEvent::Kind::wake) return evaluate(record.warp, now, CycleAccounting::no_producer);
  if (event.kind == SmEvent::Kind::fetch) return fetch_through_cache(record.warp, now);
  write_back_.receive(event);
  if (launch_.observer != nullptr) launch_.observer->written(record.warp, record.index(), now);
  const WarpSlot& slot = warps_[record.warp];
  if (slot.state == WarpState::blocked) evaluate(record.warp, now, record.index());
  if (slot.state == WarpState::finished) retire_if_done(slot.block_slot, now);
  pool_.give_back_if_done(record);
}

/// Decides what a warp whose instruction slot is full waits for, after results were written and before selection.
void Sm::evaluate(unsigned warp, Cycle now, std::uint32_t producer) {
  WarpSlot& slot = warps_[warp];
  const InstructionRecord& record = *slot.record;
  const InstructionTiming& timing = *record.timing;
  if (record.replaying) return make_ready(warp, timing.pipe, now, producer);
  if (scoreboard_.hazard(warp, timing.need)) {
    const SlotReason reason = scoreboard_.blocking_class(warp, timing.need);
    if (slot.state == WarpState::blocked && slot.waiting_for == reason) return;
    slot.state = WarpState::blocked;
    slot.waiting_for = reason;
    accounting_.enter(warp, reason, now, producer);
    return;
  }
  if (timing.pipe == Pipe::memory && slot.loads_in_flight >= load_limit_ && is_answered(record.instruction->opcode)) {
    slot.state = WarpState::limited;
    accounting_.enter(warp, SlotReason::mem_queue, now, producer);
    return;
  }
  make_ready(warp, timing.pipe, now, producer);
}

void Sm::make_ready(unsigned warp, Pipe pipe, Cycle now, std::uint32_t producer) {
  warps_[warp].state = WarpState::ready;
  set_ready(warp, pipe);
  accounting_.enter_ready(warp, pipe, now, producer);
}

void Sm::finish(Cycle end) {
  accounting_.finish(end);
}

}  // namespace teslasim
