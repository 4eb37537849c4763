// SPDX-License-Identifier: Apache-2.0
// One instruction of assembly text: syntax, then the mnemonic's row, then the check that the hardware can encode it.
#pragma once

#include <string>

#include "frontend/text/cursor.h"
#include "frontend/text/symbols.h"
#include "isa/instruction.h"

namespace teslasim::text {

struct ParsedInstruction {
  Instruction instruction;  ///< finished for an unknown register count; `target` is set for numeric targets only
  std::string target;       ///< label of the branch target, empty for none
  Span target_where;
  Span where;  ///< the whole instruction
};

/// Reads up to the end of the statement. Throws TextError.
[[nodiscard]] ParsedInstruction parse_instruction(Cursor& cursor, const Symbols& symbols, std::uint8_t sm);

}  // namespace teslasim::text
