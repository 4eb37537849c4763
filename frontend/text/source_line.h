// SPDX-License-Identifier: Apache-2.0
// A line of assembly as it is assembled, and where it came from: the file, a .rept, a macro.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/text/cursor.h"
#include "sim/base/diagnostic.h"

namespace teslasim::text {

struct SourceLine {
  std::string text;          ///< without comment
  std::uint32_t number = 0;  ///< in the file
  bool substituted = false;  ///< arguments were replaced: columns are not those of the file
};

/// One running expansion; a chain from the innermost outwards.
struct Expansion {
  enum class Kind : std::uint8_t { macro, repeat };
  Kind kind = Kind::repeat;
  std::string name;                   ///< of the macro
  std::uint32_t definition_line = 0;  ///< of .macro or .rept
  std::uint32_t call_line = 0;        ///< line of the file that invoked the macro
  std::uint64_t iteration = 0;        ///< of the .rept
  const Expansion* parent = nullptr;
};

/// A line together with its expansion: what an error or an instruction refers to. Both live as long as the assembler.
struct LineReference {
  const SourceLine* line = nullptr;
  const Expansion* expansion = nullptr;
  /// The line of the file that the user should look at: the invocation of the outermost macro, or the line itself.
  [[nodiscard]] std::uint32_t reported_line() const;
};

/// The full message for an error at a place of a line.
[[nodiscard]] Diagnostic diagnose(const TextError& error, LineReference where, const std::string& file,
                                  const std::vector<std::string>& file_lines);

/// Longer lines are refused.
inline constexpr std::size_t longest_line = 4096;

/// `text` with `\name` replaced for each (name, value), `\()` removed; names that are not in the list stay.
/// Stops soon after `longest_line` characters.
[[nodiscard]] std::string substitute(std::string_view text,
                                     const std::vector<std::pair<std::string, std::string>>& arguments);

}  // namespace teslasim::text
