// SPDX-License-Identifier: Apache-2.0
// What the pipeline needs to know about each static instruction, computed once per launch so that the cycle loop only
// looks up. All times are SM cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program.h"
#include "sim/base/slot_reason.h"
#include "sim/base/types.h"
#include "sim/sm/sm_spec.h"

namespace teslasim {

/// The execution pipes that an instruction can occupy. `none`: handled at issue (branches, nop). `mad_or_sfu`: the MAD
/// unit or the SFU's multipliers, which the issue stage decides (f32 multiplications; Collange 2010, section 9).
/// `sfu_mul`: the SFU's multipliers. `mad_shared`: the MAD unit together with the collector of instructions that have
/// an operand in shared memory. `control`: branches and barriers where they share the MAD unit's way out of the issue
/// stage (`sm.control_on_mad`).
enum class Pipe : std::uint8_t { mad, sfu, dp, memory, none, barrier, mad_or_sfu, sfu_mul, mad_shared, control };
inline constexpr unsigned pipe_count = 10;

/// Of one instruction; two lines of the host's cache.
struct alignas(64) InstructionTiming {
  RegisterSet need;             ///< reads and writes: all must be free before issue (also write-after-write)
  RegisterSet register_writes;  ///< general and address registers
  RegisterSet flag_writes;
  Pipe pipe = Pipe::none;
  std::uint8_t register_reads = 0;  ///< of 32 bits, from the warp's bank
  std::uint8_t result_registers = 0;
  SlotReason result_reason = SlotReason::dep_alu;  ///< what a warp that waits for the result is charged
  std::uint16_t register_latency = 0;              ///< last pass to dependent issue
  std::uint16_t flag_latency = 0;
  std::uint16_t sfu_latency = 0;     ///< mad_or_sfu: as register_latency, when the SFU's multiplier executes it
  std::uint16_t interval = 0;        ///< cycles for which a full warp occupies the pipe
  std::uint16_t group_interval = 0;  ///< cycles for which the replay of one access group occupies it
  std::uint16_t sfu_interval = 0, sfu_group_interval = 0;  ///< the same when the SFU executes it
  std::uint16_t next_issue = 0;  ///< to the warp's next instruction: the re-issue gap, or the branch latency
  bool control_transfer = false;
  bool may_be_dropped = false;       ///< it needs no unit when its guard fails in every lane; branches have no guard
  bool executes_in_no_lane = false;  ///< it takes its unit all the same (`sm.drop_shared_operands`)
  std::uint8_t constant_bank = 0;    ///< of the constant operand, if there is one
  bool on_chip = false;              ///< touches shared or constant memory: may need several passes

  /// It may be dropped, has two units to choose from, or waits for the limit on loads.
  [[nodiscard]] bool needs_choice() const { return may_be_dropped || pipe == Pipe::mad_or_sfu || pipe == Pipe::memory; }
  [[nodiscard]] SmCycle interval_on(Pipe unit) const { return unit == Pipe::sfu ? sfu_interval : interval; }
  [[nodiscard]] SmCycle group_interval_on(Pipe unit) const {
    return unit == Pipe::sfu ? sfu_group_interval : group_interval;
  }
};

/// SM cycles (two SP cycles each), rounded up, of a latency given in SP cycles.
[[nodiscard]] constexpr unsigned sm_cycles(unsigned shader_cycles) {
  return (shader_cycles + 1) / 2;
}

/// Renumbers registers so that every set lies in its first word, where that has room for them: the numbers are the
/// host's. Returns whether they do.
bool put_registers_in_one_word(std::vector<InstructionTiming>& table);

/// Latency law (Collange 2010, section 8.3 and table 6): operands are read one after the other from the bank of the
/// warp, so each 32-bit register after the first (after the first pair for f64) adds `operand_read`; a pass over shared
/// or constant memory adds its own latency, flags the time until they can be tested (section 8.2).
[[nodiscard]] std::vector<InstructionTiming> timing_of(const Kernel& kernel, const SmSpec& spec);

}  // namespace teslasim
