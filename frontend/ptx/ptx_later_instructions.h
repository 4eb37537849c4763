// SPDX-License-Identifier: Apache-2.0
// Instructions of PTX 1.0 to 3.2 that no chip of compute capability 1.x has: from where on they exist, and what to
// write instead.
#pragma once

#include <optional>

#include "frontend/ptx/ptx_lexer.h"
#include "frontend/ptx/ptx_tree.h"

namespace teslasim::ptx {

/// PTX-UNSUPPORTED for one of them, at its place; nothing for any other.
[[nodiscard]] std::optional<PtxMistake> later_instruction(const PtxInstruction& instruction);

}  // namespace teslasim::ptx
