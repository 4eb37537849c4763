// SPDX-License-Identifier: Apache-2.0
// The configured machine as cudaGetDeviceProperties and its kin describe it.
#pragma once

#include "frontend/cuda/include/driver_types.h"
#include "sim/cudart/session.h"

namespace teslasim::cudart {

[[nodiscard]] cudaDeviceProp properties_of(const Session& session);
/// Threads of a block of a kernel with so many registers.
[[nodiscard]] int max_threads(const MachineSpec& machine, const teslasim::Kernel& kernel);
/// Some chips reach memory of the host from kernels: compute capability 1.2 and later (CUDA C Programming Guide 4.2).
[[nodiscard]] bool maps_host_memory(const Session& session);

}  // namespace teslasim::cudart
