// SPDX-License-Identifier: Apache-2.0
// The cycles of the SM: messages, one pass of an instruction through its units, and what follows it. In one file, so
// that compilers make one function of what each cycle does.
#include <bit>

#include "sim/sm/accounting/issue_charges.h"
#include "sim/sm/first_unknown.h"
#include "sim/sm/sm.h"

namespace teslasim {

inline void Sm::deliver(const SmEvent& event, SmCycle now) {
  InFlightInstruction& record = *event.record;
  if (event.kind == SmEvent::Kind::wake) return issue_.accept(record, now);
  asked_ |= event.kind == SmEvent::Kind::fetch;
  if (event.kind == SmEvent::Kind::fetch) return front_end_.receive(event, now);
  write_back_.receive(event);
  if (launch_.observer != nullptr) launch_.observer->written(record.warp, record.index(), now);
  issue_.results_written(record.warp, now, record.index());
  if (blocks_.finished(record.warp)) retire_if_done(blocks_.slot_index(record.warp), now);
  pool_.give_back_if_done(record);
}

/// The stream performs the instruction; what it did goes into the record and on to the units.
[[gnu::always_inline]] inline SlotReason Sm::first_pass(InFlightInstruction& record, SmCycle now) {
  launch_.stream->issue(record.warp, (now - clock_stopped_).count(), *performed_);
  record.first_pass = now;
  record.access = performed_->memory;
  record.executed = performed_->executed != 0;
  record.finishes = performed_->finished;
  blocks_.issued(record);
  counters_.count(record, *performed_);
  if (launch_.observer != nullptr) launch_.observer->issued(record.warp, *performed_, now);
  execute_.accept(record, *performed_, now);
  if (record.executed && record.timing->pipe != Pipe::none) issue_.reserve(record);
  if (record.access != nullptr) {
    asked_ = asked_ || execute_.load_store().may_be_answered_sooner();
    next_message_ = lesser(next_message_, execute_.load_store().next_credit());
  }
  if (record.results != 0) {
    issue_.load_left(record.warp);
    blocks_.load_left(record.warp);
  }
  return SlotReason::issued;
}

/// A further pass takes the unit for the lanes of one access group.
inline SlotReason Sm::replay(InFlightInstruction& record, SmCycle now) {
  execute_.accept_replay(record, now);
  return record.replays.use();
}

/// What follows a pass: the instruction goes back to the queue, for constants that are missing or for the passes that
/// are left, or it is complete.
inline Sm::AfterPass Sm::after_pass(InFlightInstruction& record, SmCycle now) {
  asked_ = asked_ || record.missing;
  if (record.missing) return {Next::constants, SlotReason::mem_const};
  if (record.replaying) {
    Replays& replays = record.replays;
    // The other half-warp of this round follows as soon as the port is free.
    if (replays.round_slots() != 0) return {Next::pass, replays.wait()};
    if (replays.remaining() != 0) {
      replays.start_round();
      return {Next::round, replays.wait()};
    }
  }
  if (record.finishes) return {Next::end, SlotReason::finished};
  if (record.instruction->opcode == Opcode::bar) return meet_barrier(record, now);
  return {Next::instruction, record.timing->control_transfer ? SlotReason::branch : SlotReason::dep_reissue};
}

/// The warp fetches what follows its barrier, to issue `distance` cycles from now.
void Sm::go_on(WarpSlot warp, SmCycle now, SmCycle distance) {
  if (distance > front_end_.gap()) accounting_.enter(warp, SlotReason::sync_barrier, now + front_end_.gap());
  front_end_.fetch_next(warp, now, distance);
}

/// `record` ends the wait of `warps`.
void Sm::release(LaneMask warps, const InFlightInstruction& record, SmCycle now, SmCycle distance) {
  for (LaneMask rest = warps; rest != 0; rest &= rest - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(rest));
    accounting_.enter(warp, SlotReason::dep_reissue, now + 1, record.index());
    go_on(warp, now, distance);
  }
}

/// The effect of a barrier instruction: its warp waits, or goes on with those that waited.
Sm::AfterPass Sm::meet_barrier(const InFlightInstruction& record, SmCycle now) {
  const LaneMask self = LaneMask{1} << record.warp;
  const LaneMask released = blocks_.arrive_at_barrier(record);
  if (released != 0 && launch_.observer != nullptr) {
    launch_.observer->barrier_opened(blocks_.slot_index(record.warp), now);
  }
  const bool waits = record.instruction->barrier().wait && (released & self) == 0;
  return {waits ? Next::others : Next::beyond_barrier, waits ? SlotReason::sync_barrier : SlotReason::dep_reissue,
          released & ~self};
}

/// The last warp that a barrier waited for has ended, perhaps with the barrier instruction. Its end takes no time of
/// the barrier's, by assumption.
void Sm::leave_barriers(const InFlightInstruction& record, SmCycle now) {
  const bool arrives = record.instruction->opcode == Opcode::bar;
  LaneMask released = arrives ? blocks_.arrive_at_barrier(record) : 0;
  released |= blocks_.leave_barriers(record.warp);
  if (released == 0) return;
  if (launch_.observer != nullptr) launch_.observer->barrier_opened(blocks_.slot_index(record.warp), now);
  release(released, record, now, arrives ? SmCycle{record.timing->next_issue} : front_end_.gap());
}

/// The last instruction of the warp of `record` is complete.
void Sm::end_warp(const InFlightInstruction& record, SmCycle now) {
  const WarpSlot warp = record.warp;
  front_end_.end(warp);
  issue_.leave(warp);
  asked_ = true;
  if (blocks_.finish_warp(warp, now)) {
    launch_.completion->block_released(parameters_.link.sm, (now + 1) * parameters_.link.cycle);
  }
  leave_barriers(record, now);
  retire_if_done(blocks_.slot_index(warp), now + 1);
}

/// The last pass of an instruction issues in cycle `now`: results are on their way, the slot is free for the next.
[[gnu::always_inline]] inline void Sm::complete(InFlightInstruction& record, SmCycle now, const AfterPass& after) {
  const InstructionTiming& timing = *record.timing;
  const WarpSlot warp = record.warp;
  // What memory returns is written when it comes. A store writes no more than the address register that it moves on.
  const bool returns = timing.pipe == Pipe::memory && record.results != 0;
  if (record.executed && timing.pipe != Pipe::none && !returns) write_back_.accept(record, now);
  record.issued = true;
  if (after.next == Next::end) {
    end_warp(record, now);
  } else {
    front_end_.accept(warp);
    if (after.next == Next::instruction) front_end_.fetch_next(warp, now, timing.next_issue);
    if (after.next == Next::beyond_barrier) go_on(warp, now, timing.next_issue);
    if (after.released != 0) release(after.released, record, now, timing.next_issue);
  }
  pool_.give_back_if_done(record);
}

/// One pass of an instruction through operands and units, and where it goes from there: queue or write-back.
[[gnu::always_inline]] inline void Sm::pass(InFlightInstruction& record, SmCycle now) {
  const SlotReason use = record.replaying ? replay(record, now) : first_pass(record, now);
  const AfterPass after = after_pass(record, now);
  accounting_.issue(record.warp, now, record.index(), use, after.state);
  if (after.next >= Next::instruction) return complete(record, now, after);
  if (after.next == Next::pass) issue_.accept_ready(record, now + 1);
  if (after.next == Next::round) {
    calendar_.schedule(now, record.replays.round_at(now, execute_.pass_cycles(record.replays)),
                       {&record, SmEvent::Kind::wake});
  }
}

[[gnu::always_inline]] inline void Sm::tick(SmCycle now) {
  if (next_message_ <= now) receive(now);                                           // blocks, responses, lines
  calendar_.take(now, [this, now](const SmEvent& event) { deliver(event, now); });  // write-back, front end, issue
  InFlightInstruction* const record = issue_.select([this, now](Pipe pipe) { return execute_.can_accept(pipe, now); });
  if (record == nullptr) return;
  last_issue_ = now;
  pass(*record, now);
}

inline SmCycle Sm::next_wanted(SmCycle now) const {
  const SmCycle soonest = now + 1;
  if (!parameters_.sleeping && blocks_.resident() != 0) return soonest;
  const SmCycle wanted =
      lesser(next_message_, issue_.next_wanted([this](Pipe pipe) { return execute_.free_at(pipe); }));
  return wanted <= soonest ? soonest : lesser(wanted, calendar_.next(now));
}

SmCycle Sm::run(SmCycle now, SmCycle end, const SmReach& beyond) {
  if (!execute_.load_store().know_credits_until(greater(end, beyond.sent_from + parameters_.incoming.credits)))
    return now;
  for (SmCycle known = end;;) {
    if (now >= known) {
      if (now >= beyond.furthest) return now;
      const bool lines = front_end_.lines_under_way() + execute_.constants().lines_under_way() != 0;
      known = first_unknown(parameters_.incoming, beyond, {blocks_, execute_.load_store(), lines});
      if (now >= known) return now;
    }
    asked_ = false;
    running_ = now;
    tick(now);
    now = next_wanted(now);
    if (asked_) known = end;
  }
}

}  // namespace teslasim
