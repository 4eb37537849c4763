// SPDX-License-Identifier: Apache-2.0
// What limits the resident warps of a launch, as text.
#pragma once

#include <string>

#include "frontend/workload.h"
#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim {

/// How many blocks an SM holds, which resource stops the next one, and what it would take.
[[nodiscard]] std::string occupancy_text(const LaunchSpec& launch, const MachineSpec& machine);

}  // namespace teslasim
