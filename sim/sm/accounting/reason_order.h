// SPDX-License-Identifier: Apache-2.0
// Which reason a pipe stands for, and which reason comes first where several hold: from the rows of slot_reason.def.
#pragma once

#include <array>

#include "sim/base/slot_reason.h"
#include "sim/sm/instruction_timing.h"

namespace teslasim {

[[nodiscard]] constexpr ReasonUnit unit_of(Pipe pipe) {
  switch (pipe) {
    case Pipe::sfu:
    case Pipe::sfu_mul:
      return ReasonUnit::sfu;
    case Pipe::dp:
      return ReasonUnit::dp;
    case Pipe::memory:
      return ReasonUnit::memory;
    case Pipe::barrier:
      return ReasonUnit::barrier;
    default:
      return ReasonUnit::mad;
  }
}

[[nodiscard]] constexpr std::array<SlotReason, pipe_count> reasons_of_pipes() {
  std::array<SlotReason, pipe_count> reasons{};
  for (unsigned pipe = 0; pipe < pipe_count; ++pipe) {
    for (unsigned i = 0; i < slot_reason_count; ++i) {
      if (slot_reasons[i].unit == unit_of(static_cast<Pipe>(pipe))) reasons[pipe] = static_cast<SlotReason>(i);
    }
  }
  return reasons;
}
inline constexpr std::array pipe_reasons = reasons_of_pipes();

/// What a ready warp waits for while the unit of `pipe` is taken.
[[nodiscard]] inline SlotReason pipe_reason(Pipe pipe) {
  return pipe_reasons[static_cast<unsigned>(pipe)];
}

/// Place in the ladder for slots that no warp's issue ended: the least is charged.
[[nodiscard]] inline unsigned rank(SlotReason reason) {
  return info(reason).rank;
}

/// View A has no "finished" row: a warp that only drains leaves the SM to the imbalance at the end.
[[nodiscard]] inline SlotReason as_slot(SlotReason state) {
  return state == SlotReason::finished ? SlotReason::empty_tail : state;
}

}  // namespace teslasim
