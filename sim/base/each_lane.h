// SPDX-License-Identifier: Apache-2.0
// A loop over the lanes of a mask.
#pragma once

#include <bit>

#include "sim/base/types.h"

namespace teslasim {

/// Calls `function(lane)` for each lane, the lowest first.
template <typename Function>
void for_each_lane(LaneMask lanes, Function function) {
  for (; lanes != 0; lanes &= lanes - 1) function(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace teslasim
