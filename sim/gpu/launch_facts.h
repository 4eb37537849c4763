// SPDX-License-Identifier: Apache-2.0
// What is known of a launch on a machine before it runs.
#pragma once

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

}  // namespace teslasim
