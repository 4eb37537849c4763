// SPDX-License-Identifier: Apache-2.0
// Which reason a pipe stands for, and which reason comes first where several hold.
#pragma once

#include <algorithm>
#include <array>

#include "sim/base/slot_reason.h"
#include "sim/sm/instruction_timing.h"

namespace teslasim {

/// What a ready warp waits for while the unit of `pipe` is taken.
inline SlotReason pipe_reason(Pipe pipe) {
  switch (pipe) {
    case Pipe::sfu:
      return SlotReason::pipe_sfu;
    case Pipe::dp:
      return SlotReason::pipe_dp;
    case Pipe::memory:
      return SlotReason::pipe_lsu;
    case Pipe::barrier:
      return SlotReason::sync_barrier;
    default:
      return SlotReason::pipe_sp;
  }
}

/// Priority ladder for slots that no warp's issue ended: structural, data from short to long, re-issue gap,
/// synchronisation, front end, drain, launch.
inline constexpr std::array ladder{SlotReason::mem_queue,    SlotReason::pipe_collector, SlotReason::pipe_lsu,
                                   SlotReason::pipe_dp,      SlotReason::pipe_sfu,       SlotReason::pipe_sp,
                                   SlotReason::dep_alu,      SlotReason::dep_sfu,        SlotReason::dep_dp,
                                   SlotReason::mem_shared,   SlotReason::mem_const,      SlotReason::mem_tex,
                                   SlotReason::mem_local,    SlotReason::mem_global,     SlotReason::dep_reissue,
                                   SlotReason::sync_barrier, SlotReason::sync_membar,    SlotReason::fetch,
                                   SlotReason::branch,       SlotReason::finished,       SlotReason::empty_start};

inline unsigned rank(SlotReason reason) {
  const auto found = std::find(ladder.begin(), ladder.end(), reason);
  return static_cast<unsigned>(found - ladder.begin());
}

/// View A has no "finished" row: a warp that only drains leaves the SM to the imbalance at the end.
inline SlotReason as_slot(SlotReason state) {
  return state == SlotReason::finished ? SlotReason::empty_tail : state;
}

}  // namespace teslasim
