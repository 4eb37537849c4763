// SPDX-License-Identifier: Apache-2.0
// Two-level round-robin (Narasiman et al. 2011): warps form fetch groups of neighbouring slots; one group issues
// round-robin until none of its warps is ready, then the next group with a ready warp takes over. For comparison with
// proposals; no Tesla chip is known to do it.
#include <bit>

#include "sim/base/diagnostic.h"
#include "sim/sm/issue/warp_scheduler.h"

namespace teslasim {
namespace {

class TwoLevel final : public WarpScheduler {
 public:
  explicit TwoLevel(unsigned group_warps) : group_warps_(group_warps) {
    SIM_CHECK(std::has_single_bit(group_warps) && group_warps <= warp_size, "a fetch group must be a power of two");
  }

  unsigned pick(const IssueCandidates& candidates) override {
    const LaneMask own = candidates.ready & group_of(next_);
    // The next warp of the group in the order of slots, wrapping inside the group; else the next group from its start.
    const LaneMask ahead = own & (~LaneMask{0} << next_);
    LaneMask choice = ahead != 0 ? ahead : own;
    if (choice == 0) {
      const unsigned first_of_next = (next_ / group_warps_ + 1) * group_warps_;
      const LaneMask later = first_of_next >= warp_size ? 0 : candidates.ready & (~LaneMask{0} << first_of_next);
      choice = later != 0 ? later : candidates.ready;
    }
    const auto warp = static_cast<unsigned>(std::countr_zero(choice));
    const unsigned group = warp / group_warps_ * group_warps_;
    next_ = group + (warp + 1) % group_warps_;
    return warp;
  }
  void arrive(unsigned, unsigned) override {}
  void reset() override { next_ = 0; }

 private:
  [[nodiscard]] LaneMask group_of(WarpSlot warp) const {
    const LaneMask ones = group_warps_ == warp_size ? all_lanes : (LaneMask{1} << group_warps_) - 1;
    return ones << (warp / group_warps_ * group_warps_);
  }

  unsigned group_warps_;
  unsigned next_ = 0;  ///< the warp whose turn it is in the active group
};

}  // namespace

std::unique_ptr<WarpScheduler> make_two_level(const WarpSchedulerParameters& parameters) {
  return std::make_unique<TwoLevel>(parameters.group_warps);
}

}  // namespace teslasim
