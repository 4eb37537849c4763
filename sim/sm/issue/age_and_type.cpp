// SPDX-License-Identifier: Apache-2.0
// By type and age: "a priority computed from criteria such as the age and the type of the instruction" (Collange 2010,
// section 8.2, after Lindholm et al. 2008). How the chip weighs them is not published. Here instructions for the units
// that take a warp for long (special functions, f64, memory) go before those for the MAD unit, so that their latency
// overlaps with the rest; among equals the instruction goes first whose warp has issued longest ago. When all warps do
// the same that is the nearly round-robin order that Collange observed (section 8.3).
#include <array>
#include <bit>
#include <cstdint>

#include "sim/sm/issue/warp_scheduler.h"

namespace teslasim {
namespace {

class AgeAndType final : public WarpScheduler {
 public:
  AgeAndType() { reset(); }

  unsigned pick(const IssueCandidates& candidates) override {
    const LaneMask wanted = candidates.scarce != 0 ? candidates.scarce : candidates.ready;
    const WarpSlot warp = longest_ago(wanted);
    take_out(warp);
    append(warp);
    return warp;
  }
  void arrive(unsigned first, unsigned count) override {
    for (WarpSlot warp = first; warp < first + count; ++warp) {
      if ((listed_ >> warp & 1U) != 0) take_out(warp);
      append(warp);
      listed_ |= LaneMask{1} << warp;
    }
  }
  /// Warps that have ended would stay in front of all others, which issue.
  void leave(WarpSlot warp) override {
    if ((listed_ >> warp & 1U) == 0) return;
    take_out(warp);
    listed_ &= ~(LaneMask{1} << warp);
  }
  void reset() override {
    listed_ = 0;
    next_[head] = previous_[head] = static_cast<std::uint8_t>(head);
  }

 private:
  /// The ring of the warps that are resident and have not ended, in the order of their last issue, opened at a place
  /// that is no warp.
  static constexpr unsigned head = warp_size;

  /// Often there is but one, or the first is among them. Else a few are compared, and of many one is met soon.
  [[nodiscard]] WarpSlot longest_ago(LaneMask wanted) const {
    auto warp = static_cast<unsigned>(std::countr_zero(wanted));
    LaneMask others = wanted & (wanted - 1);
    if (others == 0) return warp;
    if ((wanted >> next_[head] & 1U) != 0) return next_[head];
    constexpr unsigned few = 4;
    for (unsigned i = 1; i < few && others != 0; ++i, others &= others - 1) {
      const auto other = static_cast<unsigned>(std::countr_zero(others));
      warp = place_[other] < place_[warp] ? other : warp;
    }
    if (others == 0) return warp;
    warp = next_[next_[head]];
    while ((wanted >> warp & 1U) == 0) warp = next_[warp];
    return warp;
  }
  void take_out(WarpSlot warp) {
    next_[previous_[warp]] = next_[warp];
    previous_[next_[warp]] = previous_[warp];
  }
  void append(WarpSlot warp) {
    previous_[warp] = previous_[head];
    next_[warp] = static_cast<std::uint8_t>(head);
    next_[previous_[head]] = static_cast<std::uint8_t>(warp);
    previous_[head] = static_cast<std::uint8_t>(warp);
    place_[warp] = ++last_place_;
  }

  std::array<std::uint8_t, warp_size + 1> next_{}, previous_{};
  std::array<std::uint64_t, warp_size> place_{};  ///< of listed warps: rises along the order
  std::uint64_t last_place_ = 0;
  LaneMask listed_ = 0;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_age_and_type(const WarpSchedulerParameters&) {
  return std::make_unique<AgeAndType>();
}

}  // namespace teslasim
