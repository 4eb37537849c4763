// SPDX-License-Identifier: Apache-2.0
// The lane-wise frame of all data operations: what a semantics function sees, and loops over 32 lanes that both g++ and
// clang turn into vector code.
//
// Stands for the data paths of one SM, one warp at a time, without time. A register is a row of 32 words, one per lane
// (structure of arrays). Rows of consecutive registers follow each other, so the high word of a pair is one row
// further. 16-bit operands arrive zero-extended in their row; 16-bit results are left in the low half of the row. Who
// prepares the rows (halves, shared memory, constants) and puts results where they belong is sim/exec. Not modelled
// here: time, and everything that crosses lanes except vote and quadop.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "isa/instruction.h"
#include "isa/semantics/flags.h"
#include "sim/base/types.h"

// Lanes are independent: a row may be source and destination at once, but only at the same index.
#if defined(__clang__)
#define TESLASIM_LANE_LOOP _Pragma("clang loop vectorize(assume_safety) interleave(disable)")
// Some lane functions (those with real branches) stay scalar; that is not worth a warning.
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define TESLASIM_LANE_LOOP _Pragma("GCC ivdep")
#endif

namespace teslasim {

inline constexpr std::size_t row_alignment = 64;

/// 32 words, one per lane. `LaneRow row;` leaves them undefined, for rows that are filled at once; `LaneRow row{};` is
/// zero.
struct alignas(row_alignment) LaneRow {
  std::array<std::uint32_t, warp_size> lane;
  std::uint32_t* data() { return lane.data(); }
  [[nodiscard]] const std::uint32_t* data() const { return lane.data(); }
  std::uint32_t& operator[](unsigned index) { return lane[index]; }
  std::uint32_t operator[](unsigned index) const { return lane[index]; }
};

/// What one instruction of one warp works on. Rows are aligned to `row_alignment`.
struct LaneContext {
  std::array<const std::uint32_t*, 3> source{};
  std::uint32_t* destination = nullptr;  ///< never null: discarded results go to a scratch row
  LaneMask lanes = 0;                    ///< lanes that execute; others keep their destination and flags
  FlagPlanes* flags = nullptr;           ///< flag register written, or null
  const FlagPlanes* guard = nullptr;     ///< $c[guard_flags]: carry input, source of mov from flags
  LaneMask predicate = 0;                ///< vote: lanes whose condition holds
  std::uint8_t machine_sm = 13;          ///< 10..13
};

[[nodiscard]] inline std::uint32_t* aligned(std::uint32_t* row) {
  return static_cast<std::uint32_t*>(__builtin_assume_aligned(row, row_alignment));
}
[[nodiscard]] inline const std::uint32_t* aligned(const std::uint32_t* row) {
  return static_cast<const std::uint32_t*>(__builtin_assume_aligned(row, row_alignment));
}

namespace detail {
constexpr LaneRow make_lane_bits() {
  LaneRow row{};
  for (unsigned i = 0; i < warp_size; ++i) row.lane[i] = 1U << i;
  return row;
}
}  // namespace detail

/// Word i has only bit i set: turns a lane mask into a row and back without variable shifts.
inline constexpr LaneRow lane_bits = detail::make_lane_bits();

/// All ones in the lanes of `mask`, zero in the others.
[[nodiscard]] inline std::uint32_t select_word(LaneMask mask, unsigned lane) {
  return (mask & lane_bits.lane[lane]) != 0 ? ~0U : 0U;
}

/// Bit i = top bit of word i.
[[nodiscard]] inline LaneMask top_bits(const std::uint32_t* row) {
  LaneMask mask = 0;
#if defined(__SSE2__)
  for (unsigned i = 0; i < warp_size; i += 4) {
    const __m128i words = _mm_load_si128(reinterpret_cast<const __m128i*>(row + i));
    mask |= static_cast<LaneMask>(_mm_movemask_ps(_mm_castsi128_ps(words))) << i;
  }
#else
  for (unsigned i = 0; i < warp_size; ++i) mask |= (row[i] >> 31U) << i;
#endif
  return mask;
}

/// The lanes for which `predicate(lane)` holds.
template <typename Predicate>
[[nodiscard]] LaneMask lanes_where(Predicate predicate) {
  LaneRow row;
  TESLASIM_LANE_LOOP
  for (unsigned i = 0; i < warp_size; ++i) row.lane[i] = predicate(i) ? ~0U : 0U;
  return top_bits(row.data());
}

/// destination[lane] = function(lane) in the lanes that execute.
template <typename Function>
inline void write_lanes(const LaneContext& context, std::uint32_t* destination_row, Function function) {
  std::uint32_t* const destination = aligned(destination_row);
  if (context.lanes == all_lanes) {
    TESLASIM_LANE_LOOP
    for (unsigned i = 0; i < warp_size; ++i) destination[i] = function(i);
    return;
  }
  const LaneMask lanes = context.lanes;
  TESLASIM_LANE_LOOP
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint32_t keep = destination[i];
    destination[i] = keep ^ ((function(i) ^ keep) & select_word(lanes, i));
  }
}

template <typename Function>
inline void map1(const LaneContext& context, Function function) {
  const std::uint32_t* const a = aligned(context.source[0]);
  write_lanes(context, context.destination, [=](unsigned i) { return function(a[i]); });
}

template <typename Function>
inline void map2(const LaneContext& context, Function function) {
  const std::uint32_t* const a = aligned(context.source[0]);
  const std::uint32_t* const b = aligned(context.source[1]);
  write_lanes(context, context.destination, [=](unsigned i) { return function(a[i], b[i]); });
}

template <typename Function>
inline void map3(const LaneContext& context, Function function) {
  const std::uint32_t* const a = aligned(context.source[0]);
  const std::uint32_t* const b = aligned(context.source[1]);
  const std::uint32_t* const c = aligned(context.source[2]);
  write_lanes(context, context.destination, [=](unsigned i) { return function(a[i], b[i], c[i]); });
}

/// Writes new flags in the lanes that execute. Does nothing when the instruction writes none.
inline void write_flags(const LaneContext& context, const FlagPlanes& value) {
  if (context.flags == nullptr) return;
  const auto merge = [lanes = context.lanes](LaneMask& plane, LaneMask fresh) {
    plane = (plane & ~lanes) | (fresh & lanes);
  };
  merge(context.flags->zero, value.zero);
  merge(context.flags->sign, value.sign);
  merge(context.flags->carry, value.carry);
  merge(context.flags->overflow, value.overflow);
}

/// Z and S of the result just written, plus the given C and O.
template <unsigned bits>
inline void write_integer_flags(const LaneContext& context, LaneMask carry = 0, LaneMask overflow = 0) {
  if (context.flags == nullptr) return;
  const std::uint32_t* const result = aligned(context.destination);
  FlagPlanes flags;
  flags.zero = lanes_where([=](unsigned i) { return result[i] << (32U - bits) == 0; });
  flags.sign = lanes_where([=](unsigned i) { return (result[i] >> (bits - 1) & 1U) != 0; });
  flags.carry = carry;
  flags.overflow = overflow;
  write_flags(context, flags);
}

/// The function that performs `instruction`'s data operation, or nullptr when the operation is not one on lanes
/// (control, memory): those are carried out by sim/exec. Call after `finish`.
[[nodiscard]] Semantics bind_semantics(const Instruction& instruction);

}  // namespace teslasim
