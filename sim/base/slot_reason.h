// SPDX-License-Identifier: Apache-2.0
// The vocabulary of cycle accounting: one row per reason in slot_reason.def.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace teslasim {

enum class SlotReason : std::uint8_t {
#define REASON(name, ...) name,
#include "sim/base/slot_reason.def"
#undef REASON
};
inline constexpr unsigned slot_reason_count = 0
#define REASON(...) +1
#include "sim/base/slot_reason.def"
#undef REASON
    ;

enum class ReasonGroup : std::uint8_t { useful, replay, dependency, memory, sync, unit_busy, front_end, empty };
enum class ReasonViews : std::uint8_t { A = 1, B = 2, AB = 3 };

struct SlotReasonInfo {
  std::string_view name;  ///< as printed in view A, e.g. "mem.global"
  ReasonGroup group;
  ReasonViews views;
  std::string_view description;
};

inline constexpr std::array<SlotReasonInfo, slot_reason_count> slot_reasons{{
#define REASON(name, printed, group, views, description) \
  SlotReasonInfo{printed, ReasonGroup::group, ReasonViews::views, description},
#include "sim/base/slot_reason.def"
#undef REASON
}};

[[nodiscard]] constexpr const SlotReasonInfo& info(SlotReason reason) {
  return slot_reasons[static_cast<unsigned>(reason)];
}

/// One 64-bit integer per reason.
template <typename Count = std::uint64_t>
struct PerReason {
  std::array<Count, slot_reason_count> counts{};
  Count& operator[](SlotReason reason) { return counts[static_cast<unsigned>(reason)]; }
  const Count& operator[](SlotReason reason) const { return counts[static_cast<unsigned>(reason)]; }
  [[nodiscard]] Count sum() const {
    Count total{};
    for (const Count& count : counts) total += count;
    return total;
  }
  PerReason& operator+=(const PerReason& other) {
    for (unsigned i = 0; i < slot_reason_count; ++i) counts[i] += other.counts[i];
    return *this;
  }
  friend bool operator==(const PerReason&, const PerReason&) = default;
};

}  // namespace teslasim
