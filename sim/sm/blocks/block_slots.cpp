// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/blocks/block_slots.h"

#include <algorithm>

#include "sim/base/diagnostic.h"

namespace teslasim {

void BlockSlots::begin(const Launch& launch, SmStatistics& statistics, unsigned block_limit, const BlockPace& pace) {
  launch_ = &launch;
  statistics_ = &statistics;
  block_limit_ = block_limit;
  warps_per_block_ = launch.warps_per_block();
  std::fill(slots_.begin(), slots_.end(), Slot{});
  std::fill(warps_.begin(), warps_.end(), Warp{});
  arrivals_.clear();
  resident_ = released_ = 0;
  set_up_free_ = 0;
  barriers_ = 0;
  pace_ = pace;
  after_last_ = 0;
  vacant_.clear();
  for (unsigned place = 0; place < block_limit; ++place) vacant_.push(0);
  end_of_grid_ = false;
}

bool BlockSlots::can_accept() const {
  const auto free = std::find_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return !slot.resident; });
  const auto index = static_cast<unsigned>(free - slots_.begin());
  return free != slots_.end() && first_warp(index) + warps_per_block_ <= warps_.size();
}

BlockSlots::Started BlockSlots::accept(const Arrival& arrival, SmCycle now) {
  SIM_CHECK(can_accept(), "a block arrived at an SM without a free slot or without free warps");
  const auto free = std::find_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return !slot.resident; });
  const auto index = static_cast<unsigned>(free - slots_.begin());
  Slot& slot = *free;
  slot.block = arrival.block;
  slot.resident = true;
  slot.released = false;
  slot.running_warps = warps_per_block_;
  slot.loads_in_flight = 0;
  slot.barriers.clear(warps_per_block_);
  ++resident_;
  keep_times(index, now);
  const unsigned first = first_warp(index);
  for (WarpSlot warp = first; warp < first + warps_per_block_; ++warp) {
    warps_[warp] = Warp{};
    warps_[warp].slot = static_cast<std::uint8_t>(index);
  }
  set_up_free_ = greater(now, set_up_free_) + limits_.launch_cycles;
  return {index, first, set_up_free_};
}

/// When the block came. There is room for as many as are kept.
void BlockSlots::keep_times(unsigned index, SmCycle now) {
  std::vector<BlockTimes>& kept = statistics_->block_times;
  Slot& slot = slots_[index];
  slot.times = SmStatistics::most_block_times;
  if (kept.size() == SmStatistics::most_block_times) return;
  slot.times = kept.size();
  kept.push_back({static_cast<std::uint32_t>(slot.block), index, now, BlockTimes::unfinished});
}

LaneMask BlockSlots::arrive_at_barrier(const InFlightInstruction& record) {
  const BarrierDetails& barrier = record.instruction->barrier();
  const unsigned index = warps_[record.warp].slot;
  const unsigned first = first_warp(index);
  ++barriers_;
  // A warp whose last instruction this is arrives and has nothing left to wait for.
  const bool waits = barrier.wait && !record.finishes;
  return slots_[index].barriers.execute(barrier.number, LaneMask{1} << (record.warp - first), barrier.arrive, waits,
                                        barrier.threads)
         << first;
}

bool BlockSlots::finish_warp(WarpSlot warp, SmCycle now) {
  warps_[warp].finished = true;
  warps_[warp].finish_cycle = now;
  Slot& slot = slot_of(warp);
  --slot.running_warps;
  if (!limits_.early_release || !release_early(slot)) return false;
  give_place_back(now);
  return true;
}

LaneMask BlockSlots::leave_barriers(WarpSlot warp) {
  if (limits_.finished_warps_hold_barriers) return 0;
  const unsigned first = first_warp(warps_[warp].slot);
  return slot_of(warp).barriers.leave(LaneMask{1} << (warp - first)) << first;
}

/// What Zhang & Owens 2011 (section 5.2) ask for: half of the block's warps have finished, so that their registers,
/// and by assumption its share of shared memory, are free. There must be slots for one block more than the limit and
/// those that gave their places back.
bool BlockSlots::release_early(Slot& slot) {
  if (slot.released || 2 * slot.running_warps > warps_per_block_ || slot.running_warps == 0) return false;
  const auto slots = std::min<std::size_t>(slots_.size(), warps_.size() / warps_per_block_);
  if (block_limit_ + released_ + 1 > slots) return false;
  slot.released = true;
  ++released_;
  return true;
}

std::uint64_t BlockSlots::retire(unsigned index, SmCycle now) {
  SIM_CHECK(done(index), "a block leaves before its warps have finished");
  Slot& slot = slots_[index];
  slot.resident = false;
  const unsigned first = first_warp(index);
  for (WarpSlot warp = first; warp < first + warps_per_block_; ++warp) warps_[warp].finished = false;
  if (slot.times < statistics_->block_times.size()) statistics_->block_times[slot.times].end = now;
  --resident_;
  if (slot.released) {
    --released_;
  } else {
    give_place_back(now);
  }
  ++statistics_->blocks;
  return slot.block;
}

std::string BlockSlots::describe(const std::string& prefix, unsigned slot) const {
  return prefix + ": block " + std::to_string(slots_[slot].block) + ": " + std::to_string(slots_[slot].running_warps) +
         " of " + std::to_string(warps_per_block_) + " warps have not finished";
}

}  // namespace teslasim
