// SPDX-License-Identifier: Apache-2.0
// The log of instructions: a line of text for each thing that happened in the SMs that were recorded.
#pragma once

#include <cstdint>

#include "sim/report/timeline/timeline.h"

namespace teslasim {

/// Which lines there are.
struct LogCategories {
  bool isa = false;      ///< what each warp instruction wrote
  bool issue = false;    ///< its unit, and when its results were written
  bool mem = false;      ///< what its accesses became
  bool sched = false;    ///< where the issue slots went
  bool barrier = false;  ///< arrivals, openings
};

/// Lines in the order of cycle, SM and warp, launch by launch; comments begin with #. `timeline.most_bytes` is the
/// largest size of the text but for its last line, which says how many events are not there.
[[nodiscard]] TimelineFile instruction_log(const Timeline& timeline, LogCategories categories,
                                           const TimelineSink& sink);

}  // namespace teslasim
