// SPDX-License-Identifier: Apache-2.0
// What is known of a launch on a machine before it runs, and what is said of how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/launch_statistics.h"
#include "sim/engine/simulation.h"
#include "sim/exec/launch.h"
#include "sim/gpu/machine/gpu_spec.h"
#include "sim/gpu/machine/occupancy.h"

namespace teslasim {

[[nodiscard]] Occupancy occupancy_of(const MachineSpec& machine, const Launch& launch);
/// The time that the launch takes besides running.
[[nodiscard]] Femtoseconds overhead_of(const LaunchOverheadSpec& overhead, const Launch& launch);
/// A texture unit reads texels when it filters them, a store takes effect at its partition, and no message joins the
/// two. Were both simulated at once, what is read would depend on how far each has got.
[[nodiscard]] bool may_read_texels_it_writes(const Kernel& kernel);

[[nodiscard]] RunStatus status_of(RunEnd end);

/// How a launch that cannot end was found: nothing can happen any more, or nothing has issued for a long time.
enum class LastSign : std::uint8_t { dead_end, live_lock };
/// The error SIM-STUCK. `pending`: what the units hold; `cause`: of a barrier that never opens, or empty.
[[nodiscard]] Diagnostic stuck_report(LastSign last, SpCycle last_issue, const std::vector<std::string>& pending,
                                      std::string cause);

}  // namespace teslasim
