// SPDX-License-Identifier: Apache-2.0
// Two observers of one SM.
#pragma once

#include "sim/sm/observer.h"

namespace teslasim {

/// Tells both, in the same order always.
class ObserverPair final : public SmObserver {
 public:
  ObserverPair(SmObserver& first, SmObserver& second) : first_(first), second_(second) {}

  void slots(SlotReason reason, SmCycle begin, SmCycle end) override {
    tell([&](SmObserver& one) { one.slots(reason, begin, end); });
  }
  void warp_state(WarpSlot warp, SlotReason state, SmCycle begin, SmCycle end, std::uint32_t producer) override {
    tell([&](SmObserver& one) { one.warp_state(warp, state, begin, end, producer); });
  }
  void block_started(unsigned slot, BlockIndex block, WarpSlot first_warp, unsigned warps, SmCycle now) override {
    tell([&](SmObserver& one) { one.block_started(slot, block, first_warp, warps, now); });
  }
  void block_finished(unsigned slot, SmCycle now) override {
    tell([&](SmObserver& one) { one.block_finished(slot, now); });
  }
  void barrier_opened(unsigned slot, SmCycle now) override {
    tell([&](SmObserver& one) { one.barrier_opened(slot, now); });
  }
  void fetched(WarpSlot warp, SmCycle when) override {
    tell([&](SmObserver& one) { one.fetched(warp, when); });
  }
  void issued(WarpSlot warp, const WarpInst& record, SmCycle now) override {
    tell([&](SmObserver& one) { one.issued(warp, record, now); });
  }
  void sent(WarpSlot warp, unsigned transactions, SmCycle now) override {
    tell([&](SmObserver& one) { one.sent(warp, transactions, now); });
  }
  void replayed(WarpSlot warp, SmCycle now) override {
    tell([&](SmObserver& one) { one.replayed(warp, now); });
  }
  void occupied(WarpSlot warp, const Occupation& occupation) override {
    tell([&](SmObserver& one) { one.occupied(warp, occupation); });
  }
  void written(WarpSlot warp, std::uint32_t instruction, SmCycle now) override {
    tell([&](SmObserver& one) { one.written(warp, instruction, now); });
  }

 private:
  template <typename Tell>
  void tell(Tell tell_one) {
    tell_one(first_);
    tell_one(second_);
  }

  SmObserver& first_;
  SmObserver& second_;
};

}  // namespace teslasim
