// SPDX-License-Identifier: Apache-2.0
// The messages inside one SM: what happens to an instruction in which later cycle.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/sm/event_wheel.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/operands/operand_collectors.h"
#include "sim/sm/sm_spec.h"

namespace teslasim {

/// One thing that will happen to the instruction of `record`: to its unit a message with the time stamp of its bucket.
struct SmEvent {
  enum class Kind : std::uint8_t {
    wake,               ///< to the issue stage: the instruction, or its next pass, is available
    fetch,              ///< to the front end: it is looked up in the instruction cache
    registers_written,  ///< to write-back
    flags_written,      ///< to write-back
  };
  InFlightInstruction* record = nullptr;
  Kind kind = Kind::wake;
};

using Calendar = EventWheel<SmEvent>;

/// How far the calendar of an SM must reach: the longest latency, the set-up of all blocks one after the other, and the
/// fetch of the first instruction of every warp.
inline SmCycle calendar_horizon(const SmSpec& spec, SmCycle set_up_of_all_blocks) {
  const LatencySpec& latency = spec.latency;
  const unsigned longest = std::max({latency.alu, latency.sfu, latency.sfu_mul, latency.dp, latency.branch,
                                     latency.barrier, spec.warp_issue_gap_cycles, latency.writeback});
  const unsigned operands = 16 * latency.operand_read + latency.flags + latency.shared + latency.constant;
  // Instructions of all units, each with a full set of collectors, can be ahead at the warp's bank.
  const unsigned bank = pipe_count * OperandCollectors::most * 8 * latency.operand_read;
  return SmCycle{longest} + operands + bank + set_up_of_all_blocks + 256;
}

}  // namespace teslasim
