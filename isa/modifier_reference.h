// SPDX-License-Identifier: Apache-2.0
// Which modifiers and types an operation can have, found by decoding words of each of its rows in the encoding table
// and looking at what the disassembler prints. So the reference cannot differ from the program.
#pragma once

#include <string>
#include <vector>

#include "isa/opcode.h"

namespace teslasim {

/// Words after the base of the text, without dots, in alphabetical order. `.join`, `.end` and `.half` are left out.
struct ModifierWords {
  std::vector<std::string> modifiers;
  std::vector<std::string> types;
};

[[nodiscard]] ModifierWords modifier_words_of(Opcode opcode);

/// A Markdown table of all operations that have any.
[[nodiscard]] std::string modifiers_table();

}  // namespace teslasim
