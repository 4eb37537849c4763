// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/issue/issue_stage.h"

#include <algorithm>

namespace teslasim {
namespace {

/// Stores and reductions return nothing, so that the limit on loads under way does not touch them.
bool is_answered(Opcode opcode) {
  return opcode != Opcode::store_global && opcode != Opcode::store_local && opcode != Opcode::red;
}

}  // namespace

void IssueStage::begin(const WarpStream& stream, Scoreboard::Sets sets) {
  stream_ = &stream;
  scoreboard_.begin(sets);
  scheduler_->reset();
  multipliers_.reset();
  ready_.fill(0);
  ready_pipes_ = 0;
  std::fill(warps_.begin(), warps_.end(), Warp{});
}

void IssueStage::arrive(unsigned first, unsigned count) {
  scheduler_->arrive(first, count);
  for (WarpSlot warp = first; warp < first + count; ++warp) warps_[warp] = {};
}

/// A lone multiplication takes the MAD unit, whose latency is the shorter (Collange 2010, table 6).
Pipe IssueStage::choose_multiplier() {
  constexpr unsigned either = 1U << static_cast<unsigned>(Pipe::mad) | 1U << static_cast<unsigned>(Pipe::mad_shared) |
                              1U << static_cast<unsigned>(Pipe::sfu_mul);
  if ((ready_pipes_ & either) == 0) return Pipe::mad;
  return multipliers_.next_to_sfu() ? Pipe::sfu_mul : Pipe::mad;
}

/// Of an instruction whose registers are there: whether its guard drops it, which of two units it takes. False: it
/// waits for the limit on loads.
bool IssueStage::choose_way(InFlightInstruction& record, SmCycle now, std::uint32_t producer) {
  if (record.timing->may_be_dropped && !stream_->passes_guard(record.warp)) record.pipe = Pipe::none;
  if (record.pipe == Pipe::mad_or_sfu) record.pipe = choose_multiplier();
  Warp& warp = warps_[record.warp];
  const bool limited =
      record.pipe == Pipe::memory && warp.loads_in_flight >= load_limit_ && is_answered(record.instruction->opcode);
  if (!limited) return true;
  warp.state = State::limited;
  accounting_.enter(record.warp, SlotReason::mem_queue, now, producer);
  return false;
}

}  // namespace teslasim
