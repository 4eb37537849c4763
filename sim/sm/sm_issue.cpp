// SPDX-License-Identifier: Apache-2.0
// The issue stage of the SM: first passes, replays, and what they start.
#include <algorithm>
#include <bit>

#include "sim/base/diagnostic.h"
#include "sim/exec/conflict_degree.h"
#include "sim/exec/kernel_placement.h"
#include "sim/sm/sm.h"

namespace teslasim {
namespace {

constexpr unsigned lanes_in(LaneMask lanes) {
  return lanes == all_lanes ? warp_size : static_cast<unsigned>(std::popcount(lanes));
}

SlotReason replay_reason(OnChipPasses::Memory memory) {
  return memory == OnChipPasses::Memory::shared ? SlotReason::replay_shared_bank : SlotReason::replay_const;
}

/// The state between two passes: the instruction is back in the queue and waits for its memory.
SlotReason wait_reason(OnChipPasses::Memory memory) {
  return memory == OnChipPasses::Memory::shared ? SlotReason::mem_shared : SlotReason::mem_const;
}

}  // namespace

void Sm::issue(unsigned warp, Cycle now) {
  WarpSlot& slot = warps_[warp];
  const Pipe pipe = (*launch_.timing)[slot.next->index].pipe;
  LaneMask& ready = ready_[static_cast<unsigned>(pipe)];
  ready &= ~(LaneMask{1} << warp);
  if (ready == 0) ready_pipes_ &= ~(1U << static_cast<unsigned>(pipe));
  last_issue_ = now;
  if (slot.state == WarpState::replaying) {
    issue_replay(warp, now);
  } else {
    issue_first_pass(warp, now);
  }
}

void Sm::issue_first_pass(unsigned warp, Cycle now) {
  WarpSlot& slot = warps_[warp];
  const Instruction& instruction = *slot.next;
  const InstructionTiming& timing = (*launch_.timing)[instruction.index];
  PcStatistics& pc = (*launch_.pcs)[instruction.index];
  launch_.stream->issue(warp, now - clock_stopped_, *record_);
  count_issue(pc);
  if (launch_.sm_profile != nullptr) count_profile(timing);
  if (launch_.observer != nullptr) launch_.observer->issued(warp, *record_, now);
  slot.last_pc = instruction.pc;
  slot.first_pass = now;
  slot.executed = record_->executed != 0;
  slot.finishes = record_->finished;

  // An instruction whose guard fails in every lane is dropped before execution: it takes its slot and nothing else.
  if (slot.executed && timing.pipe == Pipe::memory) {
    start_access(warp, instruction, timing, now);
  } else if (slot.executed && timing.pipe != Pipe::none) {
    start_unit(warp, timing, now);
  }
  const bool replays = timing.on_chip && count_passes(slot.passes, pc) != 0;
  if (replays && launch_.sm_profile != nullptr) {
    (*launch_.sm_profile)[ProfilerCounter::warp_serialize] += slot.passes.remaining();
  }
  if (record_->constant.lanes != 0 && !read_constants(warp, timing, pc, now)) return;
  if (replays) {
    slot.round_start = now;
    accounting_.issue(warp, now, instruction.index, SlotReason::issued, wait_reason(slot.passes.start_round()));
    plan_next_round(warp, now);
    return;
  }
  complete_instruction(warp, now, SlotReason::issued);
}

/// One pass of an instruction takes the unit that it waited for.
inline ExecutionUnits::Placement Sm::start_pass(Pipe pipe, const UnitUse& use, Cycle now) {
  if (pipe == Pipe::memory) {
    load_store_.accept_replay(use.interval, now);
    return {pipe, 0};
  }
  if (pipe == Pipe::barrier) {
    barrier_unit_.accept(use, now);
    return {pipe, 0};
  }
  return units_.accept(pipe, use, now);
}

/// The instruction goes to its unit: operands are read from the warp's bank, the unit is taken, results are pending.
void Sm::start_unit(unsigned warp, const InstructionTiming& timing, Cycle now) {
  WarpSlot& slot = warps_[warp];
  slot.operand_wait = 0;
  Cycle collected = 0;
  if (timing.register_reads != 0) {
    slot.operand_wait = static_cast<std::uint16_t>(registers_.read(warp, now, timing.register_reads));
    collected = registers_.read_free(warp);
  }
  const auto [unit, wait] = start_pass(timing.pipe, {timing.interval, collected}, now);
  slot.pipe = unit;
  slot.operand_wait = static_cast<std::uint16_t>(slot.operand_wait + wait);
  SlotReason producer = timing.result_reason;
  if (unit == Pipe::sfu && timing.pipe == Pipe::mad_or_sfu) {
    producer = SlotReason::dep_sfu;
    ++lanes_.sfu_multiplications;
  }
  tell_occupied(warp, unit, now + wait, timing.interval, collected);
  if (!timing.register_writes.empty()) scoreboard_.reserve(warp, timing.register_writes, producer);
  if (!timing.flag_writes.empty()) scoreboard_.reserve(warp, timing.flag_writes, timing.result_reason);
}

void Sm::tell_occupied(unsigned warp, Pipe unit, Cycle now, Cycle cycles, Cycle collected) {
  if (launch_.observer == nullptr || unit > Pipe::memory) return;
  launch_.observer->occupied(warp,
                             {static_cast<unsigned>(unit), warps_[warp].next->index, now, now + cycles, collected});
}

void Sm::issue_replay(unsigned warp, Cycle now) {
  WarpSlot& slot = warps_[warp];
  const std::uint32_t instruction = slot.next->index;
  const InstructionTiming& timing = (*launch_.timing)[instruction];
  const OnChipPasses::Memory memory = slot.passes.round_memory();
  const SlotReason use = replay_reason(memory);
  // Nothing is collected again; the collector of shared operands is given back at once.
  const Cycle collected = timing.pipe == Pipe::mad_shared ? now : 0;
  const auto [unit, wait] = start_pass(timing.pipe, {timing.group_interval, collected}, now);
  tell_occupied(warp, unit, now + wait, timing.group_interval, 0);
  if (!slot.round_issued) slot.round_start = now;
  slot.round_issued = true;
  slot.passes.issue();
  if (launch_.observer != nullptr) launch_.observer->replayed(warp, now);
  if (slot.passes.round_slots() != 0) {
    // The other half-warp of this round follows as soon as the port is free.
    accounting_.issue(warp, now, instruction, use, wait_reason(memory));
    accounting_.enter_ready(warp, timing.pipe, now + 1);
    set_ready(warp, timing.pipe);
    return;
  }
  if (slot.passes.remaining() != 0) {
    accounting_.issue(warp, now, instruction, use, wait_reason(slot.passes.start_round()));
    plan_next_round(warp, now);
    return;
  }
  complete_instruction(warp, now, use);
}

/// A round of passes follows the one before at the latency of the memory.
void Sm::plan_next_round(unsigned warp, Cycle now) {
  WarpSlot& slot = warps_[warp];
  const LatencySpec& latency = parameters_.spec->latency;
  const unsigned pass = slot.passes.round_memory() == OnChipPasses::Memory::shared ? latency.shared : latency.constant;
  const Cycle when = std::max(now + 1, slot.round_start + sm_cycles(pass));
  slot.round_issued = false;
  slot.state = WarpState::waiting;
  wheel_.schedule(now, when, {WarpEvent::Kind::wake, static_cast<std::uint8_t>(warp), slot.next->index});
}

/// The last pass of the warp's instruction issues in cycle `now`: results are on their way, the slot is free for the
/// next.
void Sm::complete_instruction(unsigned warp, Cycle now, SlotReason use) {
  WarpSlot& slot = warps_[warp];
  const Instruction& instruction = *slot.next;
  const InstructionTiming& timing = (*launch_.timing)[instruction.index];
  if (slot.executed && timing.pipe != Pipe::none && timing.pipe != Pipe::memory) {
    schedule_results(warp, timing, instruction.index, now);
  }
  if (slot.finishes) {
    accounting_.issue(warp, now, instruction.index, use, SlotReason::finished);
    slot.state = WarpState::finished;
    slot.finish_cycle = now;
    --blocks_[slot.block_slot].running_warps;
    if (parameters_.early_release) release_early(blocks_[slot.block_slot], now + 1);
    retire_if_done(slot.block_slot, now + 1);
    return;
  }
  slot.next = launch_.stream->next(warp);
  SIM_CHECK(slot.next != nullptr, "a warp ended without saying so");
  if (instruction.opcode == Opcode::bar) {
    execute_barrier(warp, instruction, now);
    return;
  }
  accounting_.issue(warp, now, instruction.index, use,
                    timing.control_transfer ? SlotReason::branch : SlotReason::dep_reissue);
  go_on(warp, now, timing.next_issue);
}

/// Plans the next issue of the warp, `distance` cycles from now or later when the fetch port is taken.
void Sm::go_on(unsigned warp, Cycle now, Cycle distance) {
  fetch_next(warp, now, now + 1 + distance - gap_, now + distance);
}

/// Looks up the constants of the instruction that has just issued. False: it goes back to the queue until they come.
bool Sm::read_constants(unsigned warp, const InstructionTiming& timing, PcStatistics& pc, Cycle now) {
  const Address base = KernelPlacement::constant_bank(timing.constant_bank);
  if (constants_.read(warp, base, record_->constant, now)) return true;
  ++pc.constant.retries;
  warps_[warp].state = WarpState::waiting;
  accounting_.issue(warp, now, warps_[warp].next->index, SlotReason::issued, SlotReason::mem_const);
  return false;
}

void Sm::execute_barrier(unsigned warp, const Instruction& instruction, Cycle now) {
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
  const Cycle open = (*launch_.timing)[instruction.index].next_issue;
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
  const unsigned executed = lanes_in(record_->executed);
  ++launch_.statistics->warp_instructions;
  launch_.statistics->thread_instructions += executed;
  ++pc.warp_issues;
  pc.thread_issues += executed;
  pc.null_issues += record_->executed == 0 ? 1 : 0;
  pc.divergent += record_->divergent ? 1 : 0;
  lanes_.active += lanes_in(record_->active);
}

/// What the profiler of the hardware would count of the instruction that has just issued.
void Sm::count_profile(const InstructionTiming& timing) {
  ProfilerCounters& profile = *launch_.sm_profile;
  ++profile[ProfilerCounter::instructions];
  const bool barrier = record_->instruction->opcode == Opcode::bar;
  if (barrier || (timing.control_transfer && record_->executed != 0)) ++profile[ProfilerCounter::branch];
  if (record_->divergent) ++profile[ProfilerCounter::divergent_branch];
}

void Sm::start_access(unsigned warp, const Instruction& instruction, const InstructionTiming& timing, Cycle now) {
  SIM_CHECK(record_->memory != nullptr, "a memory instruction without an access");
  MemoryAccess& access = *record_->memory;
  const bool returns = access.kind == MemoryAccess::Kind::load || access.kind == MemoryAccess::Kind::atomic;
  static_cast<void>(registers_.read(warp, now, timing.register_reads));
  load_store_.take_credits(now);
  const unsigned transactions = load_store_.issue(warp, instruction.index, access, now, timing.interval,
                                                  (*launch_.pcs)[instruction.index].memory);
  next_message_ = std::min(next_message_, load_store_.next_credit());
  if (launch_.observer != nullptr) launch_.observer->sent(warp, transactions, now);
  const Cycle collected = timing.register_reads == 0 ? 0 : registers_.read_free(warp);
  tell_occupied(warp, Pipe::memory, now, std::max<Cycle>(timing.interval, transactions), collected);
  if (!returns) return;
  scoreboard_.reserve(warp, timing.register_writes, timing.result_reason);
  ++warps_[warp].loads_in_flight;
  ++blocks_[warps_[warp].block_slot].loads_in_flight;
}

void Sm::schedule_results(unsigned warp, const InstructionTiming& timing, std::uint32_t instruction, Cycle now) {
  const auto index = static_cast<std::uint8_t>(warp);
  const WarpSlot& slot = warps_[warp];
  const Cycle start = now + slot.operand_wait;
  if (!timing.register_writes.empty()) {
    const bool on_sfu = timing.pipe == Pipe::mad_or_sfu && slot.pipe == Pipe::sfu;
    Cycle written = start + (on_sfu ? timing.sfu_latency : timing.register_latency);
    if (timing.result_registers != 0) written = registers_.write(warp, now, written, timing.result_registers);
    const auto kind = on_sfu ? WarpEvent::Kind::sfu_registers_ready : WarpEvent::Kind::registers_ready;
    wheel_.schedule(now, written, {kind, index, instruction});
    (*launch_.pcs)[instruction].latency.add(written - slot.first_pass);
  }
  if (!timing.flag_writes.empty()) {
    wheel_.schedule(now, start + timing.flag_latency, {WarpEvent::Kind::flags_ready, index, instruction});
    if (timing.register_writes.empty()) {
      (*launch_.pcs)[instruction].latency.add(start + timing.flag_latency - slot.first_pass);
    }
  }
}

/// Counts the passes that each access group needs over shared and constant memory; returns the replays.
unsigned Sm::count_passes(OnChipPasses& passes, PcStatistics& pc) const {
  const SharedMemorySpec& shared = parameters_.spec->shared;
  BankAccesses& banks = launch_.statistics->banks;
  passes.clear();
  const auto count = [&](const OnChipAccess& access, OnChipPasses::Memory memory, OnChipStatistics& statistics) {
    if (access.lanes == 0) return;
    const LaneMask group_mask = shared.access_group >= warp_size ? all_lanes : (LaneMask{1} << shared.access_group) - 1;
    for (unsigned group = 0; group * shared.access_group < warp_size; ++group) {
      const unsigned first_lane = group * shared.access_group;
      if (((access.lanes >> first_lane) & group_mask) == 0) continue;
      unsigned degree = 1;
      if (!access.uniform || memory == OnChipPasses::Memory::shared) {
        degree = memory == OnChipPasses::Memory::shared
                     ? shared_passes(access, first_lane, shared.access_group, shared.banks, &banks)
                     : constant_passes(access, first_lane, shared.access_group);
      }
      ++statistics.accesses;
      statistics.replays += degree - 1;
      ++statistics.degree[std::min<std::size_t>(degree, statistics.degree.size() - 1)];
      passes.add(memory, group, degree);
    }
  };
  count(record_->shared, OnChipPasses::Memory::shared, pc.shared);
  count(record_->constant, OnChipPasses::Memory::constant, pc.constant);
  return passes.remaining();
}

}  // namespace teslasim
