// SPDX-License-Identifier: Apache-2.0
// Oldest first: the ready warp that became resident first; within a block the lowest warp.
#include "sim/sm/issue/residence_order.h"
#include "sim/sm/issue/warp_scheduler.h"

namespace teslasim {
namespace {

class Oldest final : public WarpScheduler {
 public:
  unsigned pick(const IssueCandidates& candidates) override { return order_.oldest(candidates.ready); }
  void arrive(unsigned first, unsigned count) override { order_.arrive(first, count); }
  void reset() override { *this = Oldest{}; }

 private:
  ResidenceOrder order_;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_oldest(const WarpSchedulerParameters&) {
  return std::make_unique<Oldest>();
}

}  // namespace teslasim
