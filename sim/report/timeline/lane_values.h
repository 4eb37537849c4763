// SPDX-License-Identifier: Apache-2.0
// The values of a warp's lanes as a short text that loses nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace teslasim {

/// Hexadecimal: "0x2a" when all of `lanes` have it; "0x1000+0x4*lane" or "0x7c-0x4*lane" when at least three lanes have
/// values that grow or fall evenly with the number of the lane (in 32 bits); else "[3f800000,40000000]", one for each
/// of the lanes in their order. No lanes: "-".
[[nodiscard]] std::string lane_values_text(LaneMask lanes, const std::array<std::uint32_t, warp_size>& values);

}  // namespace teslasim
