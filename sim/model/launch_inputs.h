// SPDX-License-Identifier: Apache-2.0
// Feeds the analytical models from a machine, a launch and its counts: every value with the key, counter or table that
// it comes from.
#pragma once

#include "sim/base/launch_statistics.h"
#include "sim/exec/launch.h"
#include "sim/gpu/machine/gpu_spec.h"
#include "sim/model/calibration.h"
#include "sim/model/input_set.h"
#include "sim/model/kernel_profile.h"

namespace teslasim {

/// Takes `statistics` with per-instruction counts of either model. Without a `profile` (null), the whole launch counts
/// as one stage and the interval model has no input. An instruction address counts as uncoalesced when its half-warps
/// made more transactions than necessary. Without calibration (null), rates are the peaks of the configuration and
/// constants come from the section `models` of it; with one, the replay that finds the intervals uses its `mem_ld` too.
[[nodiscard]] InputSet launch_inputs(const MachineSpec& machine, const Launch& launch,
                                     const LaunchStatistics& statistics, const KernelProfile* profile,
                                     const Calibration* calibration = nullptr);

}  // namespace teslasim
