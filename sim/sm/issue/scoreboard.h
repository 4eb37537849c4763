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
    RegisterSet& own = pending.by_class[place];
    if (sets_ == Sets::one_word) {
      pending.all.words[0] |= registers.words[0];
      own.words[0] |= registers.words[0];
    } else {
      pending.all.insert(registers);
      own.insert(registers);
    }
  }
  void release(WarpSlot warp, const RegisterSet& registers, SlotReason producer) {
    Pending& pending = warps_[warp];
    const unsigned place = place_of(producer);
    RegisterSet& own = pending.by_class[place];
    if (sets_ == Sets::one_word) {
      pending.all.words[0] &= ~registers.words[0];
      own.words[0] &= ~registers.words[0];
      if (own.words[0] == 0) pending.classes &= ~(1U << place);
    } else {
      pending.all.remove(registers);
      own.remove(registers);
      if (own.empty()) pending.classes &= ~(1U << place);
    }
  }
  [[nodiscard]] bool hazard(WarpSlot warp, const RegisterSet& need) const { return overlap(warps_[warp].all, need); }
  [[nodiscard]] bool empty(WarpSlot warp) const { return warps_[warp].all.empty(); }
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
      if (overlap(pending.by_class[place], need)) {
        return result_classes.reasons[place];
      }
      left &= ~(std::uint32_t{1} << place);
    }
    return result_classes.reasons[0];
  }

 private:
  static constexpr unsigned class_count = result_classes.count;
  [[nodiscard]] bool overlap(const RegisterSet& pending, const RegisterSet& need) const {
    return sets_ == Sets::one_word ? (pending.words[0] & need.words[0]) != 0 : pending.intersects(need);
  }
  /// The classes from the least to the most important, so that the common ones lie beside `all`.
  static unsigned place_of(SlotReason producer) { return result_classes.place_of[static_cast<unsigned>(producer)]; }
  struct alignas(64) Pending {
    RegisterSet all;
    std::uint32_t classes = 0;  ///< bit per place of `by_class` that is not empty
    std::array<RegisterSet, class_count> by_class;
  };
  std::vector<Pending> warps_;
  Sets sets_ = Sets::any;
};

}  // namespace teslasim
