// SPDX-License-Identifier: Apache-2.0
// MAD, SFU and DP units of one SM, and which instruction goes to which of them.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/units/functional_unit.h"

namespace teslasim {

/// The three arithmetic units behind one port, which takes one instruction per SM cycle. The SFU takes functions and
/// multiplications (`sfu_mul`), one after the other (Collange 2010, section 9). Instructions of the MAD unit with an
/// operand in shared memory share a single collector (`mad_shared`), which takes their operands one after the other, so
/// such instructions start at least r + 1 register reads apart when they have r register operands. Collecting may begin
/// while the unit still takes the previous instruction.
/// Each cycle: nothing; `accept` is arithmetic. Not modelled: see FunctionalUnit. Units: SM cycles.
class ExecutionUnits {
 public:
  /// Where a pass went, and the cycles for which that unit was still taken.
  struct Placement {
    Pipe unit = Pipe::mad;
    SmCycle wait = 0;
  };

  /// `mad_cycles`: for how long the MAD unit takes a warp.
  explicit ExecutionUnits(unsigned collectors = OperandCollectors::most, SmCycle mad_cycles = 2)
      : mad_(collectors), sfu_(collectors), dp_(collectors), mad_cycles_(mad_cycles) {}

  [[nodiscard]] bool can_accept(Pipe pipe, SmCycle now) const { return now >= free_at(pipe); }
  /// First cycle in which an instruction of this kind can start. Precondition: `pipe` is one of this class.
  [[nodiscard]] SmCycle free_at(Pipe pipe) const {
    switch (pipe) {
      case Pipe::sfu:
      case Pipe::sfu_mul:
        return sfu_.free_at();
      case Pipe::dp:
        return dp_.free_at();
      case Pipe::mad_shared:
        return shared_operand_.free_at();
      default:
        return mad_.free_at();
    }
  }
  /// The unit that an instruction of this kind takes.
  [[nodiscard]] static Pipe unit_for(Pipe pipe) {
    if (pipe == Pipe::mad_shared || pipe == Pipe::control) return Pipe::mad;
    return pipe == Pipe::sfu_mul ? Pipe::sfu : pipe;
  }
  /// The first pass of an instruction whose operands the register file has planned to read. Returns the cycles for
  /// which the unit is still taken; leaves in the record where it went. Precondition: can_accept(its pipe, now).
  SmCycle accept(InFlightInstruction& record, SmCycle now) {
    const InstructionTiming& timing = *record.timing;
    record.unit = unit_for(record.pipe);
    const SmCycle wait = start(record.pipe, record.unit, {timing.interval_on(record.unit), record.collected}, now);
    record.operand_wait = static_cast<std::uint16_t>(record.operand_wait + wait);
    record.result_reason = timing.result_reason;
    if (record.unit == Pipe::sfu && timing.pipe == Pipe::mad_or_sfu) {
      record.result_reason = SlotReason::dep_sfu;
      ++sfu_multiplications_;
    }
    return wait;
  }
  /// A further pass of one access group; nothing is collected again. Returns the unit and the cycles for which it is
  /// still taken. Precondition: as above.
  Placement accept_replay(const InFlightInstruction& record, SmCycle now) {
    const Pipe pipe = record.pipe;
    const Pipe unit = unit_for(pipe);
    // The collector of shared operands is given back at once.
    return {unit, start(pipe, unit, {record.timing->group_interval_on(unit), pipe == Pipe::mad_shared ? now : 0}, now)};
  }

  /// What kept instructions of this kind from starting. Precondition: as for free_at.
  [[nodiscard]] const StartAccount& account(Pipe pipe) const {
    switch (pipe) {
      case Pipe::sfu:
      case Pipe::sfu_mul:
        return sfu_.account();
      case Pipe::dp:
        return dp_.account();
      case Pipe::mad_shared:
        return shared_operand_;
      default:
        return mad_.account();
    }
  }
  [[nodiscard]] const FunctionalUnit& mad() const { return mad_; }
  [[nodiscard]] const FunctionalUnit& sfu() const { return sfu_; }
  [[nodiscard]] const FunctionalUnit& dp() const { return dp_; }
  [[nodiscard]] SmCycle busy_cycles(Pipe unit) const {
    return (unit == Pipe::dp ? dp_ : unit == Pipe::sfu ? sfu_ : mad_).busy_cycles();
  }
  /// Cycles in which all collectors of some unit were waiting, summed over the units.
  [[nodiscard]] SmCycle collecting_cycles() const {
    return mad_.account().collecting_total() + sfu_.account().collecting_total() + dp_.account().collecting_total();
  }

  /// Instructions that could use either unit and went to the SFU.
  [[nodiscard]] std::uint64_t sfu_multiplications() const { return sfu_multiplications_; }

  void clear() {
    for (FunctionalUnit* unit : {&mad_, &sfu_, &dp_}) unit->clear();
    shared_operand_ = {};
    shared_collected_ = 0;
    sfu_multiplications_ = 0;
  }

 private:
  [[gnu::always_inline]] SmCycle start(Pipe pipe, Pipe unit, UnitUse use, SmCycle now) {
    if (pipe == Pipe::mad_shared) {
      use.wait = greater(now, mad_.account().busy_until()) - now;
      shared_collected_ = use.collected;
    }
    if (unit == Pipe::dp) {
      dp_.accept(use, now);
      return 0;
    }
    (unit == Pipe::mad ? mad_ : sfu_).accept(use, now);
    if (unit == Pipe::mad) count_shared(now);
    return use.wait;
  }
  /// The MAD unit has started a warp. From now + 1 an instruction with a shared operand waits first for the unit, then
  /// for a collector; the second wait is cut short when another instruction starts.
  void count_shared(SmCycle now) {
    shared_operand_.stop_collecting(now);
    const SmCycle unit = mad_.account().busy_until();
    const SmCycle nearly_free = greater(now + 1, unit > mad_cycles_ ? unit - mad_cycles_ : 0);
    const SmCycle blocked = nearly_free - (now + 1);
    shared_operand_.start(nearly_free, blocked, blocked, greater(shared_collected_, mad_.collectors().free_at()));
  }

  FunctionalUnit mad_, sfu_, dp_;
  StartAccount shared_operand_;   ///< for instructions with an operand in shared memory
  SmCycle shared_collected_ = 0;  ///< their collector has its last operand before this cycle
  SmCycle mad_cycles_;
  std::uint64_t sfu_multiplications_ = 0;
};

}  // namespace teslasim
