// SPDX-License-Identifier: Apache-2.0
// PTX text to its tree, and back.
#pragma once

#include <string>
#include <string_view>

#include "frontend/ptx/ptx_tree.h"

namespace teslasim::ptx {

/// Reads what LLVM's back end and nvcc write, PTX 1.0 to 8: the grammar, not the instructions' meaning. Names, types
/// and the shapes of instructions are not checked. Throws InputError (ExitCode::input) with all mistakes of the file:
/// PTX-SYNTAX, PTX-NUMBER, PTX-DIRECTIVE, PTX-DEPTH. `file` is the name in messages.
[[nodiscard]] PtxModule read_ptx(std::string_view text, const std::string& file);

/// The same for a module that is to be compiled: every name is declared, every instruction is one of the rows of
/// `ptx_operations`, and its operands have their number, kinds and widths. Also PTX-NAME, PTX-OPERATION, PTX-OPERAND,
/// PTX-TYPE.
[[nodiscard]] PtxModule read_checked_ptx(std::string_view text, const std::string& file);

/// The module as PTX text; reading it again gives the same module but for places.
[[nodiscard]] std::string print_ptx(const PtxModule& module);

}  // namespace teslasim::ptx
