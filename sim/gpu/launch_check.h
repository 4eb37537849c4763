// SPDX-License-Identifier: Apache-2.0
// Does a launch fit the machine? Reports all that hardware or driver would refuse, before anything is simulated.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim {

/// What a launch asks of the machine.
struct LaunchDemand {
  std::string kernel;
  unsigned sm_level = 10;  ///< instruction set level of the code, 10..13
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t registers_per_thread = 0;
  std::uint32_t most_threads = 0;  ///< per block, as the kernel was compiled for; 0: for any
  std::uint32_t shared_bytes = 0;  ///< static (header and parameters included) + dynamic
  bool uses_double = false;        ///< it has instructions for double-precision units
  SourceLocation where;            ///< of the launch, for the messages; may be empty
};

/// Codes LAUNCH-GRID, LAUNCH-BLOCK, LAUNCH-BOUNDS, LAUNCH-REGISTERS, LAUNCH-SHARED, ISA-LEVEL; empty when the launch
/// fits. The caller throws them as InputError with ExitCode::configuration.
[[nodiscard]] std::vector<Diagnostic> check_launch(const MachineSpec& machine, const LaunchDemand& demand);

}  // namespace teslasim
