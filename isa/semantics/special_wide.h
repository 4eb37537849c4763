// SPDX-License-Identifier: Apache-2.0
// Special functions and range reductions, eight lanes at a time on hosts with AVX2. Same bits as special.cpp: the terms
// of the interpolation are integers below 2^42, which the host's doubles hold exactly.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace teslasim::semantics {

enum class SpecialFunction : std::uint8_t {
  reciprocal,
  reciprocal_root,
  logarithm,
  sine,
  cosine,
  power_of_two,
  fixed_for_sine,   ///< the range reduction before sine and cosine
  fixed_for_power,  ///< before the power of two
};

/// What performs it without clamping. Precondition: `wide_lanes()`.
[[nodiscard]] Semantics wide_special(SpecialFunction function);

}  // namespace teslasim::semantics
