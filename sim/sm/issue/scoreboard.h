// SPDX-License-Identifier: Apache-2.0
// Registers in flight, per warp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "isa/register_set.h"
#include "sim/base/slot_reason.h"
#include "sim/base/types.h"
#include "sim/sm/issue/result_classes.h"

namespace teslasim {

/// Indexed by warp (Collange 2010, section 8.2). An instruction may issue when none of the registers it reads or writes
/// is pending, which covers read-after-write and write-after-write hazards. Write-after-read hazards cannot occur: each
/// warp issues in order and reads operands at issue. Pending registers are grouped by the class of their producer, so
/// that a wait is charged to the slowest class first. Not modelled: a limit on the number of entries.
class Scoreboard {
 public:
  explicit Scoreboard(unsigned warps) : warps_(warps) {}

  /// What all register sets of a launch take of their words.
  enum class Sets : std::uint8_t { any, one_word };
  /// A new launch: nothing is pending.
  void begin(Sets sets) {
    sets_ = sets;
    for (Pending& pending : warps_) pending = {};
  }

  void reserve(WarpSlot warp, const RegisterSet& registers, SlotReason producer) {
    Pending& pending = warps_[warp];
    const unsigned place = place_of(producer);
    pending.classes |= 1U << place;
    each_word([&](unsigned i) {
      pending.words[i].all |= registers.words[i];
      pending.words[i].by_class[place] |= registers.words[i];
    });
  }
  void release(WarpSlot warp, const RegisterSet& registers, SlotReason producer) {
    Pending& pending = warps_[warp];
    const unsigned place = place_of(producer);
    std::uint64_t left = 0;
    each_word([&](unsigned i) {
      pending.words[i].all &= ~registers.words[i];
      left |= pending.words[i].by_class[place] &= ~registers.words[i];
    });
    if (left == 0) pending.classes &= ~(1U << place);
  }
  [[nodiscard]] bool hazard(WarpSlot warp, const RegisterSet& need) const {
    const Pending& pending = warps_[warp];
    std::uint64_t common = 0;
    each_word([&](unsigned i) { common |= pending.words[i].all & need.words[i]; });
    return common != 0;
  }
  [[nodiscard]] bool empty(WarpSlot warp) const { return warps_[warp].classes == 0; }
  /// Warps with registers in flight.
  [[nodiscard]] LaneMask pending() const {
    LaneMask warps = 0;
    for (WarpSlot warp = 0; warp < warps_.size(); ++warp) warps |= LaneMask{!empty(warp)} << warp;
    return warps;
  }

  /// The class to charge: the one of the greatest rank in slot_reason.def (longest first). Precondition: hazard().
  [[nodiscard]] SlotReason blocking_class(WarpSlot warp, const RegisterSet& need) const {
    const Pending& pending = warps_[warp];
    for (std::uint32_t left = pending.classes; left != 0;) {
      const auto place = static_cast<unsigned>(std::bit_width(left)) - 1;
      std::uint64_t common = 0;
      each_word([&](unsigned i) { common |= pending.words[i].by_class[place] & need.words[i]; });
      if (common != 0) return result_classes.reasons[place];
      left &= ~(std::uint32_t{1} << place);
    }
    return result_classes.reasons[0];
  }

 private:
  static constexpr unsigned class_count = result_classes.count;
  /// Calls `act` for each word that sets of this launch take.
  template <class Act>
  void each_word(const Act& act) const {
    act(0U);
    if (sets_ == Sets::one_word) return;
    act(1U);
    act(2U);
  }
  /// The classes from the least to the most important, so that the common ones lie beside `all`.
  static unsigned place_of(SlotReason producer) { return result_classes.place_of[static_cast<unsigned>(producer)]; }
  /// One word of the sets of registers in flight.
  struct Word {
    std::uint64_t all = 0;
    std::array<std::uint64_t, class_count> by_class{};
  };
  /// A launch with sets of one word finds the usual classes in the first line of the host's cache.
  struct alignas(64) Pending {
    std::uint32_t classes = 0;  ///< bit per place of `by_class` that is not empty
    std::array<Word, 3> words;
  };
  std::vector<Pending> warps_;
  Sets sets_ = Sets::any;
};

}  // namespace teslasim
