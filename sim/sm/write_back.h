// SPDX-License-Identifier: Apache-2.0
// Write-back: when the results of an instruction are in their registers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/sm/calendar.h"
#include "sim/sm/issue/scoreboard.h"
#include "sim/sm/operands/register_file.h"

namespace teslasim {

/// Stands for the end of the pipelines: results leave their unit at its latency, or come from memory, take the write
/// port of the warp's bank, and set the scoreboard free (Collange 2010, sections 8.2 and 8.3). Published latencies
/// include the ordinary time of writing, so only waiting for the port is added; flags take no port.
/// Each cycle: `receive` for the results of that cycle. It takes every result: there is one port per bank, and what
/// waits for it waits in the calendar. Not modelled: bypasses, the result bus between units and banks.
/// Units: SM cycles.
class WriteBack {
 public:
  /// `memory_cycles`: from the arrival of a memory response to the first instruction that can use it.
  WriteBack(RegisterFile& registers, Scoreboard& scoreboard, Calendar& calendar, SmCycle memory_cycles)
      : registers_(registers), scoreboard_(scoreboard), calendar_(calendar), memory_cycles_(memory_cycles) {}

  void begin() { written_ = 0; }

  [[nodiscard]] static constexpr bool can_accept(SmCycle) { return true; }
  /// The last pass of an instruction of MAD, SFU or DP issues in cycle `now`.
  void accept(InFlightInstruction& record, SmCycle now) {
    const InstructionTiming& timing = *record.timing;
    const SmCycle start = now + record.operand_wait;
    if (!timing.register_writes.empty()) {
      const bool on_sfu = timing.pipe == Pipe::mad_or_sfu && record.unit == Pipe::sfu;
      SmCycle written = start + (on_sfu ? timing.sfu_latency : timing.register_latency);
      if (timing.result_registers != 0) {
        written = registers_.write(record.warp, now, written, timing.result_registers);
      }
      plan(record, SmEvent::Kind::registers_written, now, written);
      record.counts->latency.add((written - record.first_pass).count());
    }
    if (!timing.flag_writes.empty()) {
      const SmCycle written = start + timing.flag_latency;
      plan(record, SmEvent::Kind::flags_written, now, written);
      if (timing.register_writes.empty()) record.counts->latency.add((written - record.first_pass).count());
    }
  }
  /// The last transaction of a load or atomic has returned in cycle `now`: what memory returns is written straight into
  /// the destination register.
  void accept_from_memory(InFlightInstruction& record, SmCycle now) {
    const SmCycle written = registers_.write(record.warp, now, now + memory_cycles_, record.timing->result_registers);
    calendar_.schedule(now, written, {&record, SmEvent::Kind::registers_written});
    record.counts->latency.add((written - record.first_pass).count());
  }
  /// The cycle of `event` has come: its registers or flags can be used.
  void receive(const SmEvent& event) {
    InFlightInstruction& record = *event.record;
    --record.results;
    ++written_;
    if (event.kind == SmEvent::Kind::registers_written) {
      scoreboard_.release(record.warp, record.timing->register_writes, record.result_reason);
    } else {
      scoreboard_.release(record.warp, record.timing->flag_writes, record.timing->result_reason);
    }
  }

  /// Results written in this launch.
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  [[gnu::always_inline]] void plan(InFlightInstruction& record, SmEvent::Kind kind, SmCycle now, SmCycle when) {
    ++record.results;
    calendar_.schedule(now, when, {&record, kind});
  }

  RegisterFile& registers_;
  Scoreboard& scoreboard_;
  Calendar& calendar_;
  SmCycle memory_cycles_;
  std::uint64_t written_ = 0;
};

}  // namespace teslasim
