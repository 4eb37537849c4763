// SPDX-License-Identifier: Apache-2.0
// Recorded events, warp by warp.
#pragma once

#include <vector>

#include "sim/report/timeline/timeline.h"

namespace teslasim {

/// What one warp did, in the order of the recording. Points into the PipelineEvents it was made from.
struct WarpEvents {
  WarpKey key;
  std::vector<const PipelineEvents::Instruction*> instructions;
  std::vector<const PipelineEvents::Wait*> waits;
};

/// The warps that have events, in the order of their keys.
[[nodiscard]] std::vector<WarpEvents> events_of_warps(const PipelineEvents& events);

}  // namespace teslasim
