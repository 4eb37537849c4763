// SPDX-License-Identifier: Apache-2.0
// Loose round-robin: the next ready warp after the one that issued last. Close to what Collange 2010 (section 8.3)
// calls the regular, nearly round-robin order of the chip.
#include <bit>

#include "sim/sm/issue/warp_scheduler.h"

namespace teslasim {
namespace {

class LooseRoundRobin final : public WarpScheduler {
 public:
  unsigned pick(const IssueCandidates& candidates) override {
    const LaneMask turned = std::rotr(candidates.ready, static_cast<int>(start_));
    const WarpSlot warp = (start_ + static_cast<unsigned>(std::countr_zero(turned))) & 31U;
    start_ = (warp + 1) & 31U;
    return warp;
  }
  void arrive(unsigned, unsigned) override {}
  void reset() override { start_ = 0; }

 private:
  unsigned start_ = 0;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_loose_round_robin(const WarpSchedulerParameters&) {
  return std::make_unique<LooseRoundRobin>();
}

}  // namespace teslasim
