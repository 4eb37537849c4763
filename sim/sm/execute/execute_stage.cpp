// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/execute/execute_stage.h"

namespace teslasim {

ExecuteStage::ExecuteStage(const SmSpec& spec, const CoalescingRules& coalescing, const MemoryLink& link,
                           unsigned warp_slots)
    : registers_(spec.register_file.banks, sm_cycles(spec.latency.operand_read)),
      units_(spec.register_file.collectors_per_unit, sm_cycles(warp_size / spec.sp_lanes)),
      shared_memory_(spec.shared, sm_cycles(spec.latency.shared)),
      constants_(spec.const_cache, warp_slots, spec.shared.access_group, sm_cycles(spec.latency.constant)),
      load_store_(coalescing, link, warp_slots * spec.max_memory_transactions_per_thread),
      accounts_(accounts_of_units()) {}

PipeAccounts ExecuteStage::accounts_of_units() const {
  PipeAccounts accounts;
  for (const Pipe pipe : {Pipe::mad, Pipe::sfu, Pipe::dp, Pipe::sfu_mul, Pipe::mad_shared, Pipe::control}) {
    accounts.starts[static_cast<unsigned>(pipe)] = &units_.account(pipe);
  }
  accounts.starts[static_cast<unsigned>(Pipe::memory)] = &load_store_.account();
  accounts.starts[static_cast<unsigned>(Pipe::barrier)] = &barrier_unit_.account();
  accounts.queue = &load_store_.hold();
  return accounts;
}

void ExecuteStage::begin(const ExecuteLaunch& launch) {
  launch_ = launch;
  registers_.clear();
  units_.clear();
  barrier_unit_.clear();
  shared_memory_.begin(*launch.banks);
  constants_.begin(launch.lines);
  load_store_.begin(*launch.memory, launch.tpc_profile);
}

void ExecuteStage::send_access(InFlightInstruction& record, SmCycle now) {
  load_store_.take_credits(now);
  const unsigned transactions = load_store_.accept(record, now);
  if (launch_.observer != nullptr) launch_.observer->sent(record.warp, transactions, now);
  tell_occupied(record, Pipe::memory, now, greater(SmCycle{record.timing->interval}, transactions), record.collected);
}

/// What shared memory and constants cannot serve at once is left in the record.
void ExecuteStage::touch_on_chip_memory(InFlightInstruction& record, const WarpInst& performed, SmCycle now) {
  const bool on_chip = record.timing->on_chip;
  if (on_chip) record.replays.clear();
  if (on_chip && performed.shared.lanes != 0) shared_memory_.accept(record, performed.shared);
  if (performed.constant.lanes != 0) record.missing = !constants_.accept(record, performed.constant, now);
  if (!on_chip) return;
  record.replaying = !record.missing && record.replays.remaining() != 0;
  if (record.replaying) record.replays.issue_first(now);
  if (launch_.sm_profile != nullptr) {
    (*launch_.sm_profile)[ProfilerCounter::warp_serialize] += record.replays.remaining();
  }
}

void ExecuteStage::accept_replay(InFlightInstruction& record, SmCycle now) {
  if (record.timing->pipe == Pipe::memory) {
    load_store_.accept_replay(record, now);
    tell_occupied(record, Pipe::memory, now, record.timing->group_interval, 0);
  } else {
    const auto [unit, wait] = units_.accept_replay(record, now);
    tell_occupied(record, unit, now + wait, record.timing->group_interval_on(unit), 0);
  }
  record.replays.issue(now);
  if (launch_.observer != nullptr) launch_.observer->replayed(record.warp, now);
}

}  // namespace teslasim
