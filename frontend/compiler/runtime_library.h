// SPDX-License-Identifier: Apache-2.0
// The functions of runtime/*.ptx, read once.
#pragma once

#include <vector>

#include "frontend/ptx/ptx_tree.h"

namespace teslasim::compiler {

[[nodiscard]] const std::vector<ptx::PtxModule>& runtime_library();

}  // namespace teslasim::compiler
