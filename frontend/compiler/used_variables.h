// SPDX-License-Identifier: Apache-2.0
// Which shared and local variables a kernel names, itself or through what it calls; and whether it calls itself.
#pragma once

#include <vector>

#include "frontend/compiler/module_layout.h"

namespace teslasim::compiler {

/// In the order of their first use. A function that calls itself is a mistake: the chip has no stack for data.
[[nodiscard]] std::vector<PtxVariablePointer> used_variables(const ptx::PtxModule& module,
                                                             const ptx::PtxFunction& entry,
                                                             std::vector<ptx::PtxMistake>& mistakes);

}  // namespace teslasim::compiler
