// SPDX-License-Identifier: Apache-2.0
// Places in local memory for values that leave their registers: those that are never live at once share one.
#pragma once

#include <unordered_map>
#include <vector>

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// The byte at which each value lives; `function.local_bytes` grows.
[[nodiscard]] std::unordered_map<VirtualRegister, std::uint32_t> place_in_local_memory(
    MachineFunction& function, const std::vector<VirtualRegister>& values);

}  // namespace teslasim::compiler
