// SPDX-License-Identifier: Apache-2.0
// Greedy, then oldest (Rogers et al. 2012): the warp that issued last as long as it is ready, else the oldest ready
// one. For comparison with later machines; no Tesla chip is known to do it. As a Tesla warp issues at most every few
// cycles, the same warp is the greedy choice only when nothing else was ready in between.
#include "sim/sm/issue/residence_order.h"
#include "sim/sm/issue/warp_scheduler.h"

namespace teslasim {
namespace {

class GreedyThenOldest final : public WarpScheduler {
 public:
  unsigned pick(const IssueCandidates& candidates) override {
    if ((candidates.ready >> last_ & 1U) == 0) last_ = order_.oldest(candidates.ready);
    return last_;
  }
  void arrive(unsigned first, unsigned count) override { order_.arrive(first, count); }
  void reset() override { *this = GreedyThenOldest{}; }

 private:
  ResidenceOrder order_;
  unsigned last_ = 0;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_gto(const WarpSchedulerParameters&) {
  return std::make_unique<GreedyThenOldest>();
}

}  // namespace teslasim
