// SPDX-License-Identifier: Apache-2.0
// The reasons that stand for a missing result, from the shortest wait to the longest: the ranks of slot_reason.def.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/slot_reason.h"

namespace teslasim {

struct ResultClasses {
  static constexpr unsigned most = 16;
  unsigned count = 0;
  std::array<SlotReason, most> reasons{};                  ///< the shortest wait first
  std::array<std::uint8_t, slot_reason_count> place_of{};  ///< in `reasons`, by reason
};

[[nodiscard]] constexpr ResultClasses classes_of_results() {
  ResultClasses classes;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (slot_reasons[i].unit != ReasonUnit::result) continue;
    unsigned place = classes.count++;
    for (; place != 0 && info(classes.reasons[place - 1]).rank > slot_reasons[i].rank; --place) {
      classes.reasons[place] = classes.reasons[place - 1];
    }
    classes.reasons[place] = static_cast<SlotReason>(i);
  }
  for (unsigned place = 0; place < classes.count; ++place) {
    classes.place_of[static_cast<unsigned>(classes.reasons[place])] = static_cast<std::uint8_t>(place);
  }
  return classes;
}
inline constexpr ResultClasses result_classes = classes_of_results();

}  // namespace teslasim
