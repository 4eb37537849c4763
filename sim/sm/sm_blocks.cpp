// SPDX-License-Identifier: Apache-2.0
// Blocks of the SM: set-up, retirement, and what a stuck one waits for.
#include <algorithm>

#include "sim/base/diagnostic.h"
#include "sim/sm/sm.h"

namespace teslasim {

void Sm::start_block(const Arrival& arrival, Cycle now) {
  const auto free = std::find_if(blocks_.begin(), blocks_.end(), [](const BlockSlot& slot) { return !slot.resident; });
  SIM_CHECK(free != blocks_.end(), "a block arrived at an SM without a free slot");
  const auto index = static_cast<unsigned>(free - blocks_.begin());
  const unsigned first = first_warp(index);
  SIM_CHECK(first + warps_per_block_ <= warps_.size(), "a block arrived at an SM without free warps");
  clock_stopped_ = arrival.clock_stopped;
  BlockSlot& block = *free;
  block.block = arrival.block;
  block.resident = true;
  block.released = false;
  block.running_warps = warps_per_block_;
  block.loads_in_flight = 0;
  block.barriers.clear(warps_per_block_);
  ++resident_blocks_;
  keep_times(index, now);
  if (launch_.sm_profile != nullptr) ++(*launch_.sm_profile)[ProfilerCounter::sm_cta_launched];
  if (launch_.tpc_profile != nullptr) ++(*launch_.tpc_profile)[ProfilerCounter::cta_launched];

  if (launch_.observer != nullptr) {
    launch_.observer->block_started(index, arrival.block, first, warps_per_block_, now);
  }
  launch_.stream->start_block(index, arrival.block, first);
  scheduler_->arrive(first, warps_per_block_);
  // Header, parameters and thread ids of one block after the other are written before its first instruction.
  const Cycle set_up = std::max(now, set_up_free_) + parameters_.block_launch_cycles;
  set_up_free_ = set_up;
  accounting_.arrive(first, warps_per_block_, now, set_up);
  for (unsigned warp = first; warp < first + warps_per_block_; ++warp) {
    WarpSlot& slot = warps_[warp];
    slot = WarpSlot{};
    slot.block_slot = static_cast<std::uint8_t>(index);
    slot.record = &queue(warp, *launch_.stream->next(warp));
    fetch_.forget(warp);
    fetch_next(warp, now, std::max(set_up, now + 1), set_up);
  }
}

/// When the block came. There is room for as many as are kept.
void Sm::keep_times(unsigned block_slot, Cycle now) {
  std::vector<BlockTimes>& kept = launch_.statistics->block_times;
  BlockSlot& block = blocks_[block_slot];
  block.times = SmStatistics::most_block_times;
  if (kept.size() == SmStatistics::most_block_times) return;
  block.times = kept.size();
  kept.push_back({static_cast<std::uint32_t>(block.block), block_slot, now, BlockTimes::unfinished});
}

/// A block leaves when all its warps have finished, its loads have returned and its results are written; `now` is the
/// first cycle without it.
void Sm::retire_if_done(unsigned block_slot, Cycle now) {
  BlockSlot& block = blocks_[block_slot];
  if (!block.resident || block.running_warps != 0 || block.loads_in_flight != 0) return;
  const unsigned first = first_warp(block_slot);
  for (unsigned warp = first; warp < first + warps_per_block_; ++warp) {
    if (!scoreboard_.empty(warp)) return;
  }
  launch_.stream->finish_block(block_slot);
  accounting_.retire(first, warps_per_block_, now);
  if (launch_.observer != nullptr) launch_.observer->block_finished(block_slot, now);
  for (unsigned warp = first; warp < first + warps_per_block_; ++warp) warps_[warp].state = WarpState::absent;
  block.resident = false;
  if (block.times < launch_.statistics->block_times.size()) launch_.statistics->block_times[block.times].end = now;
  --resident_blocks_;
  if (block.released) --released_blocks_;
  ++launch_.statistics->blocks;
  launch_.completion->block_completed(parameters_.link.sm, block.block, now * parameters_.link.cycle);
}

BarrierReport Sm::barrier_report(unsigned block_slot) const {
  const BlockSlot& block = blocks_[block_slot];
  const unsigned first = first_warp(block_slot);
  std::vector<BarrierWarp> warps;
  for (unsigned warp = first; warp < first + warps_per_block_; ++warp) {
    const WarpSlot& slot = warps_[warp];
    const bool finished = slot.state == WarpState::finished;
    const std::string condition = finished ? "in cycle " + std::to_string(2 * slot.finish_cycle)
                                           : "waits: " + std::string(info(accounting_.state(warp)).name);
    warps.push_back({finished, slot.last_pc, condition});
  }
  return describe_barriers(*launch_.launch, block.block, block.barriers, warps);
}

std::string Sm::barrier_cause() const {
  for (unsigned slot = 0; slot < blocks_.size(); ++slot) {
    if (!blocks_[slot].resident) continue;
    if (std::string cause = barrier_report(slot).cause; !cause.empty()) return cause;
  }
  return "";
}

/// What Zhang & Owens 2011 (section 5.2) ask for: half of the block's warps have finished, so that their registers,
/// and by assumption its share of shared memory, are free. There must be slots for one block more than the limit and
/// those that gave their places back.
void Sm::release_early(BlockSlot& block, Cycle now) {
  if (block.released || 2 * block.running_warps > warps_per_block_ || block.running_warps == 0) return;
  const auto slots = std::min<std::size_t>(blocks_.size(), warps_.size() / warps_per_block_);
  if (launch_.block_limit + released_blocks_ + 1 > slots) return;
  block.released = true;
  ++released_blocks_;
  launch_.completion->block_released(parameters_.link.sm, now * parameters_.link.cycle);
}

void Sm::describe_pending(std::vector<std::string>& lines) const {
  const std::string name = "SM " + std::to_string(parameters_.link.sm);
  if (!arrivals_.empty()) lines.push_back(name + ": " + std::to_string(arrivals_.size()) + " blocks on their way");
  load_store_.describe_pending(name, lines);
  if (const std::size_t count = fetch_.lines_under_way() + constants_.lines_under_way(); count != 0) {
    lines.push_back(name + ": " + std::to_string(count) + " lines of code and constants under way");
  }
  for (unsigned index = 0; index < blocks_.size(); ++index) {
    if (!blocks_[index].resident) continue;
    lines.push_back(name + ": CTA " + std::to_string(blocks_[index].block) + ": " +
                    std::to_string(blocks_[index].running_warps) + " of " + std::to_string(warps_per_block_) +
                    " warps have not finished");
    const BarrierReport report = barrier_report(index);
    lines.insert(lines.end(), report.lines.begin(), report.lines.end());
  }
}

}  // namespace teslasim
