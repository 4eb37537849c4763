// SPDX-License-Identifier: Apache-2.0
// Operands as text, in the spelling that the assembler reads.
#pragma once

#include <string>

#include "isa/instruction.h"

namespace teslasim {

/// `$r5.lo`, `s[$ofs1+0x0020]`, `c1[0x0004]`, `g[$r1]`, `%clock`, `$o127`; without sign and complement.
/// `default_access` is the access type of s[] that needs no mention.
[[nodiscard]] std::string operand_text(const Operand& operand, ValueType default_access);
/// With `-`, `|...|` and `~`.
[[nodiscard]] std::string source_text(const Instruction& instruction, std::size_t position);
/// The group of `tex`: `{$r4,_,$r5,_}` for a mask, consecutive registers from `first`.
[[nodiscard]] std::string group_text(unsigned first, unsigned mask, unsigned size);

}  // namespace teslasim
