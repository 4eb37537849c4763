// SPDX-License-Identifier: Apache-2.0
// Addresses of the host among the arguments of a kernel: chips do not reach what malloc gave.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program.h"
#include "sim/base/diagnostic.h"

namespace teslasim::cudart {

/// Says in errors of global memory (MEM-OOB) which arguments are addresses that this process can read and the chip
/// cannot.
void note_host_pointers(const Kernel& kernel, const std::vector<std::uint8_t>& parameters,
                        std::vector<Diagnostic>& errors);

}  // namespace teslasim::cudart
