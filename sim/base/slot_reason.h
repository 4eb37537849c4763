// SPDX-License-Identifier: Apache-2.0
// The vocabulary of cycle accounting: one row per reason in slot_reason.def.
#pragma once

#include <array>
#include <cstddef>
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
enum class ReasonUnit : std::uint8_t { none, result, mad, sfu, dp, memory, barrier };
/// Parts of the interval model's stack of cycles.
enum class ReasonCycles : std::uint8_t { none, base, compute, memory, outside };

/// Of a reason that has no place in the ladder; see slot_reason.def.
inline constexpr unsigned unranked = 1000;

struct SlotReasonInfo {
  std::string_view name;  ///< as printed in view A, e.g. "mem.global"
  ReasonGroup group;
  ReasonViews views;
  unsigned rank;  ///< place in the ladder, the least first
  ReasonUnit unit;
  ReasonCycles cycles;
  std::string_view column;  ///< of pc.csv; empty: not a reason of slots
  std::string_view colour;
  std::string_view description;
};

inline constexpr std::array<SlotReasonInfo, slot_reason_count> slot_reasons{{
#define REASON(name, printed, group, views, rank, unit, cycles, column, colour, description)                 \
  SlotReasonInfo{                                                                                            \
      printed, ReasonGroup::group, ReasonViews::views, rank, ReasonUnit::unit, ReasonCycles::cycles, column, \
      colour,  description},
#include "sim/base/slot_reason.def"
#undef REASON
}};

[[nodiscard]] constexpr const SlotReasonInfo& info(SlotReason reason) {
  return slot_reasons[static_cast<unsigned>(reason)];
}

/// Two reasons of one rank would leave it to the order of rows which of them is charged.
[[nodiscard]] constexpr bool ranks_differ() {
  for (std::size_t i = 0; i < slot_reasons.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (slot_reasons[i].rank != unranked && slot_reasons[i].rank == slot_reasons[j].rank) return false;
    }
  }
  return true;
}
static_assert(ranks_differ());

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
