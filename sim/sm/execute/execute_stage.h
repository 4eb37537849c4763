// SPDX-License-Identifier: Apache-2.0
// The execute stage of one SM: operands, units and memories that a pass of an instruction takes.
#pragma once

#include <cstdint>

#include "memory/tpc/coalescer.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"
#include "sim/exec/warp_inst.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/memory/constant_port.h"
#include "sim/sm/memory/load_store_unit.h"
#include "sim/sm/memory/shared_memory.h"
#include "sim/sm/observer.h"
#include "sim/sm/operands/register_file.h"
#include "sim/sm/sm_spec.h"
#include "sim/sm/units/execution_units.h"
#include "sim/sm/units/functional_unit.h"
#include "sim/sm/units/pipe_accounts.h"

namespace teslasim {

/// What the execute stage needs during a launch; all of it outlives the launch.
struct ExecuteLaunch {
  TransactionReceiver* memory = nullptr;
  LineLink lines;
  BankAccesses* banks = nullptr;            ///< accesses of each bank of shared memory
  SmObserver* observer = nullptr;           ///< null: nobody
  ProfilerCounters* sm_profile = nullptr;   ///< replays; null: nowhere
  ProfilerCounters* tpc_profile = nullptr;  ///< accesses; null: nowhere
};

/// Stands for everything after the issue port: register file, MAD, SFU and DP units, barrier logic, shared memory,
/// constant port, load/store unit. A pass takes the unit of its pipe; operands are read once, by the first pass, which
/// also finds out how many replays shared memory and constants need.
/// Each cycle: nothing; each unit computes when it is free. An instruction is accepted when the unit of its pipe is
/// free; register file, shared memory and constant port take everything. Not modelled: see the units.
/// Units: SM cycles.
class ExecuteStage {
 public:
  ExecuteStage(const SmSpec& spec, const CoalescingRules& coalescing, const MemoryLink& link, unsigned warp_slots);
  ExecuteStage(const ExecuteStage&) = delete;
  ExecuteStage& operator=(const ExecuteStage&) = delete;

  void begin(const ExecuteLaunch& launch);
  /// Another one in the midst of a launch; null: nobody.
  void observe(SmObserver* observer) { launch_.observer = observer; }

  [[nodiscard]] bool can_accept(Pipe pipe, SmCycle now) const { return free_at(pipe) <= now; }
  /// First cycle in which the unit of this pipe can take an instruction; `never` while only a message can free it.
  [[nodiscard]] SmCycle free_at(Pipe pipe) const {
    return pipe == Pipe::memory ? load_store_.free_at() : accounts_.of(pipe).free_at();
  }
  /// The first pass of an instruction, which did what `performed` says. Leaves in the record what follows:
  /// `replaying`, further passes; `missing`, constants that have not come. Precondition: can_accept(its pipe, now).
  void accept(InFlightInstruction& record, const WarpInst& performed, SmCycle now);
  /// A further pass. Precondition: as above.
  void accept_replay(InFlightInstruction& record, SmCycle now);
  /// Cycles from the current round of passes to the one just started: the latency of its memory.
  [[nodiscard]] SmCycle pass_cycles(const Replays& replays) const {
    return replays.round_memory() == Replays::Memory::shared ? shared_memory_.pass_cycles() : constants_.pass_cycles();
  }

  [[nodiscard]] LoadStoreUnit& load_store() { return load_store_; }
  [[nodiscard]] const LoadStoreUnit& load_store() const { return load_store_; }
  [[nodiscard]] ConstantPort& constants() { return constants_; }
  [[nodiscard]] const ConstantPort& constants() const { return constants_; }
  [[nodiscard]] RegisterFile& registers() { return registers_; }
  [[nodiscard]] const RegisterFile& registers() const { return registers_; }
  [[nodiscard]] const ExecutionUnits& units() const { return units_; }
  [[nodiscard]] const FunctionalUnit& barrier_unit() const { return barrier_unit_; }
  [[nodiscard]] const SharedMemory& shared_memory() const { return shared_memory_; }
  /// What keeps the instructions of each pipe from starting: known to its unit.
  [[nodiscard]] const PipeAccounts& accounts() const { return accounts_; }

 private:
  [[nodiscard]] PipeAccounts accounts_of_units() const;
  void dispatch(InFlightInstruction& record, SmCycle now);
  // Out of line, so that an instruction that touches no memory pays nothing for them.
  [[gnu::noinline]] void send_access(InFlightInstruction& record, SmCycle now);
  [[gnu::noinline]] void touch_on_chip_memory(InFlightInstruction& record, const WarpInst& performed, SmCycle now);
  void tell_occupied(const InFlightInstruction& record, Pipe unit, SmCycle now, SmCycle cycles, SmCycle collected);

  RegisterFile registers_;
  ExecutionUnits units_;
  FunctionalUnit barrier_unit_;  ///< counts arrivals, some threads per cycle
  SharedMemory shared_memory_;
  ConstantPort constants_;
  LoadStoreUnit load_store_;
  PipeAccounts accounts_;
  ExecuteLaunch launch_;
};

// In line: each instruction comes through here.

inline void ExecuteStage::tell_occupied(const InFlightInstruction& record, Pipe unit, SmCycle now, SmCycle cycles,
                                        SmCycle collected) {
  if (launch_.observer == nullptr) return;
  launch_.observer->occupied(record.warp, {static_cast<unsigned>(unit), record.index(), now, now + cycles, collected});
}

/// Operands are read from the warp's bank, the unit is taken.
[[gnu::always_inline]] inline void ExecuteStage::dispatch(InFlightInstruction& record, SmCycle now) {
  const InstructionTiming& timing = *record.timing;
  if (timing.pipe == Pipe::none) return;
  registers_.accept(record, now);
  if (timing.pipe == Pipe::memory) return send_access(record, now);
  if (timing.pipe == Pipe::barrier) return barrier_unit_.accept({timing.interval}, now);
  const SmCycle wait = units_.accept(record, now);
  tell_occupied(record, record.unit, now + wait, timing.interval_on(record.unit), record.collected);
}

[[gnu::always_inline]] inline void ExecuteStage::accept(InFlightInstruction& record, const WarpInst& performed,
                                                        SmCycle now) {
  // An instruction whose guard fails in every lane is dropped before execution: it takes its slot and nothing else.
  if (record.executed || record.timing->executes_in_no_lane) dispatch(record, now);
  if (record.timing->on_chip || performed.constant.lanes != 0) touch_on_chip_memory(record, performed, now);
}

}  // namespace teslasim
