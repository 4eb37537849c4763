// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/stops/stall_meter.h"

#include "sim/sm/sm.h"

namespace teslasim {
namespace {

/// A cycle in which a warp issues is told as a use of the slot.
SlotReason state_of_warp(SlotReason reason) {
  if (reason == SlotReason::issued) return SlotReason::issuing;
  const bool replays = reason == SlotReason::replay_shared_bank || reason == SlotReason::replay_const;
  return replays ? SlotReason::issuing_replay : reason;
}

}  // namespace

void StallMeter::add(const Sm& sm, const std::vector<WarpView>& warps, SmCycle begin, SmCycle end) {
  for (const WarpView& warp : warps) {
    // Nothing happens within the span but that a state begins that was known before.
    const SmCycle change = warp.since > begin && warp.since < end ? warp.since : end;
    const auto count = [&](SmCycle from, SmCycle to) {
      if (const auto state = sm.accounting().state_in(warp.slot, from))
        counts_[state_of_warp(*state)] += (to - from).count();
    };
    count(begin, change);
    if (change < end) count(change, end);
  }
}

StallMeter::Share StallMeter::share_of(std::string_view state) const {
  Share share;
  share.whole = counts_.sum();
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (is_state_of(state, slot_reasons[i].name)) share.part += counts_.counts[i];
  }
  return share;
}

}  // namespace teslasim
