// SPDX-License-Identifier: Apache-2.0
// Oldest first: the ready warp that became resident first; within a block the lowest warp.
#include <array>
#include <bit>

#include "sim/sm/issue/warp_scheduler.h"

namespace teslasim {
namespace {

class Oldest final : public WarpScheduler {
 public:
  unsigned pick(LaneMask ready) override {
    unsigned best = static_cast<unsigned>(std::countr_zero(ready));
    for (LaneMask rest = ready & (ready - 1); rest != 0; rest &= rest - 1) {
      const auto warp = static_cast<unsigned>(std::countr_zero(rest));
      if (arrival_[warp] < arrival_[best]) best = warp;
    }
    return best;
  }
  void arrive(unsigned first, unsigned count) override {
    for (unsigned warp = first; warp < first + count; ++warp) arrival_[warp] = next_++;
  }
  void reset() override { *this = Oldest{}; }

 private:
  std::array<std::uint64_t, warp_size> arrival_{};
  std::uint64_t next_ = 0;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_oldest() {
  return std::make_unique<Oldest>();
}

}  // namespace teslasim
