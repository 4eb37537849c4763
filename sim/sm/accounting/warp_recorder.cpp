// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/accounting/warp_recorder.h"

namespace teslasim {

void WarpRecorder::arrive(unsigned first, unsigned count, SmCycle now, const ArrivingBlock& place) {
  WarpRecords& records = sm_->warps;
  const bool full = records.first.size() + count > WarpRecords::most;
  // Places must not move: whoever asked for the records made room for all that are kept.
  SIM_CHECK(full || records.first.size() + count <= records.first.capacity(), "there is room for the warps of a block");
  if (full) records.dropped += count;
  for (unsigned i = 0; i < count; ++i) {
    places_[first + i] = &records.rest;
    if (full) continue;
    WarpTimes& own = records.first.emplace_back();
    own.block = static_cast<std::uint32_t>(place.block);
    own.slot = place.slot;
    own.warp = i;
    own.begin = now;
    places_[first + i] = &own;
  }
}

}  // namespace teslasim
