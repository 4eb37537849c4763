// SPDX-License-Identifier: Apache-2.0
// What the bytes of an instruction mean, for the encoder and the decoder (docs/trace-format.md).
#pragma once

#include <bit>
#include <cstdint>

#include "sim/base/types.h"

namespace teslasim::trace {

// The first byte of an instruction.
inline constexpr unsigned jumps = 1, new_active = 2, partly_executed = 4, diverges = 8, finishes = 16, uses_shared = 32,
                          uses_constant = 64, uses_memory = 128;

// The first byte of an access: width in bits 2:0 (log2 of bytes), pattern in bits 4:3, other lanes than executed in
// bit 5, lanes and distances as before in bit 6.
inline constexpr unsigned width_mask = 7, pattern_shift = 3, pattern_mask = 3, other_lanes = 32, same_shape = 64;
/// In the byte with the number of texels: some lanes read outside of the image.
inline constexpr unsigned some_outside = 0x80;
enum class Pattern : std::uint8_t { uniform, stride, every_lane, packed };

inline unsigned first_lane(LaneMask lanes) {
  return static_cast<unsigned>(std::countr_zero(lanes));
}

inline std::int64_t difference(std::uint32_t to, std::uint32_t from) {
  return static_cast<std::int32_t>(to - from);
}

template <typename Visit>
void each_lane(LaneMask lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(first_lane(lanes));
}

}  // namespace teslasim::trace
