// SPDX-License-Identifier: Apache-2.0
// Is a module that the grammar accepts one that can be compiled?
#pragma once

#include <vector>

#include "frontend/ptx/ptx_lexer.h"
#include "frontend/ptx/ptx_tree.h"

namespace teslasim::ptx {

/// What is wrong with names, instructions and operands, in the order of the file, at most `most_ptx_mistakes`.
[[nodiscard]] std::vector<PtxMistake> check_ptx(const PtxModule& module);

}  // namespace teslasim::ptx
