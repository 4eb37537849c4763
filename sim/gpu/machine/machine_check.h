// SPDX-License-Identifier: Apache-2.0
// What must hold between the parameters of a machine, beyond the range of each. Every rule is one sentence.
#pragma once

#include <vector>

#include "sim/base/config_loader.h"
#include "sim/base/diagnostic.h"
#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim {

/// Checks the rules (CFG-CROSS, errors and warnings).
[[nodiscard]] std::vector<Diagnostic> check_machine(const MachineSpec& spec, const LoadedConfig& config);

/// Compares the stated figures of [derived] with what follows from the other keys (CFG-CROSS when they differ by more
/// than 0.1 %). Figures that nobody stated, or that were stated below a layer that changes their inputs, are filled in
/// and marked "computed".
[[nodiscard]] std::vector<Diagnostic> settle_derived(MachineSpec& spec, LoadedConfig& config);

}  // namespace teslasim
