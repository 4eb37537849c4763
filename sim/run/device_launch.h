// SPDX-License-Identifier: Apache-2.0
// From a launch as its launch file says it to what the simulators take: buffers placed in device memory, parameters and
// constants laid out, textures bound.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/workload.h"
#include "memory/image/device_memory.h"
#include "sim/exec/launch.h"
#include "sim/gpu/launch_check.h"
#include "sim/gpu/machine/occupancy.h"

namespace teslasim {

/// Allocates and fills the buffers of a workload; [i] is where Workload::buffers[i] lies.
[[nodiscard]] std::vector<Address> place_buffers(const Workload& workload, DeviceMemory& memory);

/// `memory` and the code of `spec` must outlive it; `machine_sm` is the instruction set level of the machine, 10..13.
[[nodiscard]] Launch launch_of(const LaunchSpec& spec, const std::vector<Address>& addresses, DeviceMemory& memory,
                               unsigned machine_sm);

/// What the launch asks of a machine, for check_launch.
[[nodiscard]] LaunchDemand launch_demand(const LaunchSpec& spec);
/// What one block of the launch asks of an SM.
[[nodiscard]] OccupancyDemand occupancy_demand(const LaunchSpec& spec);

}  // namespace teslasim
