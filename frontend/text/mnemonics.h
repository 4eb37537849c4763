// SPDX-License-Identifier: Apache-2.0
// The words of the assembly language: each row turns a statement that starts with it into an Instruction.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/text/statement.h"

namespace teslasim::text {

/// What follows the types of a statement.
enum class OperandSyntax : std::uint8_t { general, branch_target, vote };

struct Mnemonic {
  std::string_view word;
  OperandSyntax syntax;
  Instruction (*build)(Statement&);
};

[[nodiscard]] std::span<const Mnemonic> integer_mnemonics();
[[nodiscard]] std::span<const Mnemonic> float_mnemonics();
[[nodiscard]] std::span<const Mnemonic> move_mnemonics();
[[nodiscard]] std::span<const Mnemonic> memory_mnemonics();
[[nodiscard]] std::span<const Mnemonic> control_mnemonics();

/// nullptr when there is no such word.
[[nodiscard]] const Mnemonic* find_mnemonic(std::string_view word);
[[nodiscard]] std::vector<std::string> mnemonic_words();
/// Every modifier that some mnemonic knows, for suggestions.
[[nodiscard]] const std::vector<std::string>& modifier_words();
/// A hint for words of other assemblers ("ld", "exit"), or empty.
[[nodiscard]] std::string_view foreign_word_help(std::string_view word);

// Shared by the rows of several files.
[[nodiscard]] Instruction build_float_binary(Statement& statement, Opcode single, Opcode wide);
[[nodiscard]] Instruction build_float_comparison(Statement& statement);
[[nodiscard]] Instruction build_float_mad(Statement& statement);
[[nodiscard]] bool has_float_type(const Statement& statement);
/// Takes `.rn`, `.rm`, `.rp`, `.rz`; nearest when not written.
[[nodiscard]] Rounding take_rounding(Statement& statement);

}  // namespace teslasim::text
