// SPDX-License-Identifier: Apache-2.0
// The reference tables of the assembly language, made from the tables that the assembler itself uses.
#pragma once

#include <string>

#include "isa/opcode.h"

namespace teslasim {

/// One line of Markdown: mnemonic, operation, first sm, unit, operands of each form, flags, description.
[[nodiscard]] std::string reference_row(Opcode opcode);
/// All tables: operations, condition codes, comparisons, header words and special registers.
[[nodiscard]] std::string assembly_reference_markdown();

}  // namespace teslasim
