// SPDX-License-Identifier: Apache-2.0
// Declarations of PTX: registers, variables with their initialisers, parameters.
#pragma once

#include <vector>

#include "frontend/ptx/ptx_cursor.h"

namespace teslasim::ptx {

/// The next token is a state space. Takes the semicolon.
[[nodiscard]] std::vector<PtxVariable> parse_variables(PtxCursor& cursor, PtxLinkage linkage);
/// Behind '(': parameters or results of a function; takes the ')'.
[[nodiscard]] std::vector<PtxVariable> parse_parameters(PtxCursor& cursor);

}  // namespace teslasim::ptx
