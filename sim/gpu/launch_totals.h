// SPDX-License-Identifier: Apache-2.0
// The totals of a launch from what was counted per instruction address and per SM.
#pragma once

#include "isa/program.h"
#include "sim/base/launch_statistics.h"

namespace teslasim {

/// Adds up `statistics.pcs` (indexed like kernel.code) and `statistics.sms` into the launch-wide members: instructions
/// and their classes, branches, on-chip accesses, coalescing, slots and warp cycles. Sorts blamed producers, most
/// first.
void add_totals(LaunchStatistics& statistics, const Kernel& kernel);

}  // namespace teslasim
