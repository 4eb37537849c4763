// SPDX-License-Identifier: Apache-2.0
// The issue stage of the SM: first passes, replays, and what they start.
#include <algorithm>
#include <bit>

#include "sim/base/diagnostic.h"
#include "sim/sm/sm.h"

namespace teslasim {
namespace {

constexpr unsigned lanes_in(LaneMask lanes) {
  return lanes == all_lanes ? warp_size : static_cast<unsigned>(std::popcount(lanes));
}

}  // namespace

void Sm::issue(unsigned warp, Cycle now) {
  InstructionRecord& record = *warps_[warp].record;
  const auto pipe = static_cast<unsigned>(record.timing->pipe);
  ready_[pipe] &= ~(LaneMask{1} << warp);
  if (ready_[pipe] == 0) ready_pipes_ &= ~(1U << pipe);
  last_issue_ = now;
  if (record.replaying) {
    issue_replay(record, now);
  } else {
    issue_first_pass(record, now);
  }
}

void Sm::issue_first_pass(InstructionRecord& record, Cycle now) {
  launch_.stream->issue(record.warp, now - clock_stopped_, *performed_);
  record.first_pass = now;
  record.access = performed_->memory;
  record.executed = performed_->executed != 0;
  record.finishes = performed_->finished;
  warps_[record.warp].last_pc = record.instruction->pc;
  count_issue(*record.counts);
  if (launch_.sm_profile != nullptr) count_profile(*record.timing);
  if (launch_.observer != nullptr) launch_.observer->issued(record.warp, *performed_, now);

  // An instruction whose guard fails in every lane is dropped before execution: it takes its slot and nothing else.
  if (record.executed) dispatch(record, now);
  if (!touch_on_chip_memory(record, now)) {
    // A line of constants is missing: the instruction goes back to the queue until it comes.
    warps_[record.warp].state = WarpState::waiting;
    accounting_.issue(record.warp, now, record.index(), SlotReason::issued, SlotReason::mem_const);
    return;
  }
  if (record.replaying) {
    record.replays.issue_first(now);
    record.replays.start_round();
    accounting_.issue(record.warp, now, record.index(), SlotReason::issued, record.replays.wait());
    plan_next_round(record, now);
    return;
  }
  complete_instruction(record, now, SlotReason::issued);
}

/// The first pass goes to its unit: operands are read from the warp's bank, the unit is taken, results are pending.
void Sm::dispatch(InstructionRecord& record, Cycle now) {
  const InstructionTiming& timing = *record.timing;
  if (timing.pipe == Pipe::none) return;
  registers_.accept(record, now);
  if (timing.pipe == Pipe::memory) return dispatch_access(record, now);
  if (timing.pipe == Pipe::barrier) return barrier_unit_.accept({timing.interval}, now);
  const Cycle start = now + units_.accept(record, now);
  tell_occupied(record,
                {static_cast<unsigned>(record.unit), record.index(), start, start + timing.interval, record.collected});
  if (!timing.register_writes.empty()) {
    scoreboard_.reserve(record.warp, timing.register_writes, record.result_reason);
  }
  if (!timing.flag_writes.empty()) scoreboard_.reserve(record.warp, timing.flag_writes, timing.result_reason);
}

void Sm::dispatch_access(InstructionRecord& record, Cycle now) {
  const InstructionTiming& timing = *record.timing;
  load_store_.take_credits(now);
  const unsigned transactions = load_store_.accept(record, now);
  next_message_ = std::min(next_message_, load_store_.next_message());
  if (launch_.observer != nullptr) launch_.observer->sent(record.warp, transactions, now);
  const Cycle end = now + std::max<Cycle>(timing.interval, transactions);
  tell_occupied(record, {static_cast<unsigned>(Pipe::memory), record.index(), now, end, record.collected});
  if (record.results == 0) return;
  record.result_reason = timing.result_reason;
  scoreboard_.reserve(record.warp, timing.register_writes, record.result_reason);
  ++warps_[record.warp].loads_in_flight;
  ++blocks_[warps_[record.warp].block_slot].loads_in_flight;
}

void Sm::tell_occupied(const InstructionRecord& record, const SmObserver::Occupation& use) {
  if (launch_.observer != nullptr) launch_.observer->occupied(record.warp, use);
}

/// Shared memory and constants of the first pass; `record.replaying`: further passes follow. False: a line of constants
/// is missing.
bool Sm::touch_on_chip_memory(InstructionRecord& record, Cycle now) {
  if (record.timing->on_chip) {
    record.replays.clear();
    if (performed_->shared.lanes != 0) shared_memory_.accept(record, performed_->shared);
  }
  const bool served = performed_->constant.lanes == 0 || constants_.accept(record, performed_->constant, now);
  if (!record.timing->on_chip) return served;
  if (launch_.sm_profile != nullptr) {
    (*launch_.sm_profile)[ProfilerCounter::warp_serialize] += record.replays.remaining();
  }
  record.replaying = served && record.replays.remaining() != 0;
  return served;
}

void Sm::issue_replay(InstructionRecord& record, Cycle now) {
  const InstructionTiming& timing = *record.timing;
  Replays& replays = record.replays;
  if (timing.pipe == Pipe::memory) {
    load_store_.accept_replay(record, now);
    tell_occupied(record, {static_cast<unsigned>(Pipe::memory), record.index(), now, now + timing.group_interval, 0});
  } else {
    const auto [unit, wait] = units_.accept_replay(record, now);
    tell_occupied(record,
                  {static_cast<unsigned>(unit), record.index(), now + wait, now + wait + timing.group_interval, 0});
  }
  replays.issue(now);
  if (launch_.observer != nullptr) launch_.observer->replayed(record.warp, now);
  const SlotReason use = replays.use();
  if (replays.round_slots() != 0) {
    // The other half-warp of this round follows as soon as the port is free.
    accounting_.issue(record.warp, now, record.index(), use, replays.wait());
    accounting_.enter_ready(record.warp, timing.pipe, now + 1);
    set_ready(record.warp, timing.pipe);
    return;
  }
  if (replays.remaining() != 0) {
    replays.start_round();
    accounting_.issue(record.warp, now, record.index(), use, replays.wait());
    plan_next_round(record, now);
    return;
  }
  complete_instruction(record, now, use);
}

/// A round of passes follows the one before at the latency of the memory.
void Sm::plan_next_round(InstructionRecord& record, Cycle now) {
  const bool shared = record.replays.round_memory() == Replays::Memory::shared;
  const Cycle pass = shared ? shared_memory_.pass_cycles() : constants_.pass_cycles();
  warps_[record.warp].state = WarpState::waiting;
  calendar_.schedule(now, record.replays.round_at(now, pass), {&record, SmEvent::Kind::wake});
}

/// The last pass of an instruction issues in cycle `now`: results are on their way, the slot is free for the next.
void Sm::complete_instruction(InstructionRecord& record, Cycle now, SlotReason use) {
  WarpSlot& slot = warps_[record.warp];
  const InstructionTiming& timing = *record.timing;
  if (record.executed && timing.pipe != Pipe::none && timing.pipe != Pipe::memory) write_back_.accept(record, now);
  record.issued = true;
  if (record.finishes) {
    accounting_.issue(record.warp, now, record.index(), use, SlotReason::finished);
    slot.state = WarpState::finished;
    slot.finish_cycle = now;
    slot.record = nullptr;
    --blocks_[slot.block_slot].running_warps;
    if (parameters_.early_release) release_early(blocks_[slot.block_slot], now + 1);
    retire_if_done(slot.block_slot, now + 1);
  } else {
    const Instruction* const next = launch_.stream->next(record.warp);
    SIM_CHECK(next != nullptr, "a warp ended without saying so");
    slot.record = &queue(record.warp, *next);
    if (record.instruction->opcode == Opcode::bar) {
      execute_barrier(record, now);
    } else {
      accounting_.issue(record.warp, now, record.index(), use,
                        timing.control_transfer ? SlotReason::branch : SlotReason::dep_reissue);
      go_on(record.warp, now, timing.next_issue);
    }
  }
  pool_.give_back_if_done(record);
}

/// The next instruction of a warp, in its slot of the queue.
InstructionRecord& Sm::queue(unsigned warp, const Instruction& instruction) {
  InstructionRecord& record = pool_.take();
  record.instruction = &instruction;
  record.timing = &(*launch_.timing)[instruction.index];
  record.counts = &(*launch_.pcs)[instruction.index];
  record.warp = static_cast<std::uint8_t>(warp);
  return record;
}

/// Plans the next issue of the warp, `distance` cycles from now or later when the fetch port is taken.
void Sm::go_on(unsigned warp, Cycle now, Cycle distance) {
  fetch_next(warp, now, now + 1 + distance - gap_, now + distance);
}

void Sm::execute_barrier(InstructionRecord& record, Cycle now) {
  const Instruction& instruction = *record.instruction;
  const unsigned warp = record.warp;
  WarpSlot& slot = warps_[warp];
  BlockSlot& block = blocks_[slot.block_slot];
  const unsigned first = first_warp(slot.block_slot);
  ++lanes_.barriers;
  const LaneMask released =
      block.barriers.execute(instruction.barrier, LaneMask{1} << (warp - first), instruction.barrier_arrive,
                             instruction.barrier_wait, instruction.barrier_threads);
  if (released != 0 && launch_.observer != nullptr) launch_.observer->barrier_opened(slot.block_slot, now);
  const bool waits = instruction.barrier_wait && (released & (LaneMask{1} << (warp - first))) == 0;
  accounting_.issue(warp, now, instruction.index, SlotReason::issued,
                    waits ? SlotReason::sync_barrier : SlotReason::dep_reissue);
  const Cycle open = record.timing->next_issue;
  if (waits) {
    slot.state = WarpState::at_barrier;
  } else {
    if (open > gap_) accounting_.enter(warp, SlotReason::sync_barrier, now + gap_);
    go_on(warp, now, open);
  }
  for (LaneMask rest = released; rest != 0; rest &= rest - 1) {
    const unsigned other = first + static_cast<unsigned>(std::countr_zero(rest));
    if (other == warp) continue;
    accounting_.enter(other, SlotReason::dep_reissue, now + 1, instruction.index);
    if (open > gap_) accounting_.enter(other, SlotReason::sync_barrier, now + gap_);
    go_on(other, now, open);
  }
}

void Sm::count_issue(PcStatistics& pc) {
  const unsigned executed = lanes_in(performed_->executed);
  ++launch_.statistics->warp_instructions;
  launch_.statistics->thread_instructions += executed;
  ++pc.warp_issues;
  pc.thread_issues += executed;
  pc.null_issues += performed_->executed == 0 ? 1 : 0;
  pc.divergent += performed_->divergent ? 1 : 0;
  lanes_.active += lanes_in(performed_->active);
}

/// What the profiler of the hardware would count of the instruction that has just issued.
void Sm::count_profile(const InstructionTiming& timing) {
  ProfilerCounters& profile = *launch_.sm_profile;
  ++profile[ProfilerCounter::instructions];
  const bool barrier = performed_->instruction->opcode == Opcode::bar;
  if (barrier || (timing.control_transfer && performed_->executed != 0)) ++profile[ProfilerCounter::branch];
  if (performed_->divergent) ++profile[ProfilerCounter::divergent_branch];
}

}  // namespace teslasim
