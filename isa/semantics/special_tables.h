// SPDX-License-Identifier: Apache-2.0
// The look-up tables of the special-function unit.
//
// The numbers are the contents of the chip's ROMs as M. Koscielnicki read and verified them on G80 to GT21x chips
// (envytools, special-function tables, 2015; published under the MIT licence, copyright 2015 Marcin Koscielnicki). The
// unit and its enhanced minimax interpolation are described by Oberman & Siu 2005.
#pragma once

#include <array>
#include <cstdint>

namespace teslasim::semantics {

/// A piece of a function: value, slope and curvature at its start, in the fixed-point scales of that function (26, 16
/// and 10 bits; sine 26, 15 and 11). Signs are not stored by the hardware; here they are part of the numbers.
struct Segment {
  std::int32_t value;
  std::int32_t slope;
  std::int32_t curvature;
};

extern const std::array<Segment, 128> reciprocal_segments;       ///< of [1, 2)
extern const std::array<Segment, 128> reciprocal_root_segments;  ///< of [1, 2), then of [2, 4)
extern const std::array<Segment, 64> sine_segments;              ///< of a quarter turn
extern const std::array<Segment, 64> exponential_segments;       ///< of [0, 1)
extern const std::array<Segment, 64> logarithm_segments;         ///< of [1, 2)

}  // namespace teslasim::semantics
