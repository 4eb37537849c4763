// SPDX-License-Identifier: Apache-2.0
// One instruction of PTX, from its guard to its semicolon.
#pragma once

#include "frontend/ptx/ptx_cursor.h"

namespace teslasim::ptx {

/// The next token begins an instruction.
[[nodiscard]] PtxInstruction parse_instruction(PtxCursor& cursor);

}  // namespace teslasim::ptx
