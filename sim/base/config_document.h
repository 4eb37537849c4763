// SPDX-License-Identifier: Apache-2.0
// One text of TOML as a flat list of entries with places. Hides toml++ from everything else and adds what it drops:
// the `# source: ...` comment behind a value. After a syntax error the line is skipped and reading goes on, so that one
// run shows all of them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {

/// A value as written. Tables appear as entries of their own before their members; arrays of strings are `list`, other
/// arrays and dates are `other`.
struct ConfigEntry {
  /// `huge_number`: one of the command line that no type holds; only its spelling is known.
  enum class Kind : std::uint8_t { table, whole_number, real_number, huge_number, truth, text, list, other };

  std::string key;  ///< dotted; a part that contains dots itself is quoted
  Kind kind = Kind::other;
  const char* kind_name = "";  ///< with article, for messages: "a string"
  std::variant<std::int64_t, double, bool, std::string, std::vector<std::string>> value;
  SourceLocation key_place;
  SourceLocation value_place;
  std::string key_line;               ///< excerpt for key_place
  std::string value_line;             ///< excerpt for value_place
  std::vector<ConfigEntry> elements;  ///< of an array (kind `other`), in order; without keys
  std::string spelling;               ///< of a number or truth on the command line: a text key takes it as text
  std::string source;                 ///< what follows "source:" in the comment on the value's last line
};

struct ConfigDocument {
  std::vector<ConfigEntry> entries;  ///< sorted by place
  bool complete = true;              ///< false when a syntax error hid some or all of the entries
};

/// Parses `text`; syntax errors (CFG-SYNTAX) go to `problems`. `place` is the file name in messages.
[[nodiscard]] ConfigDocument parse_config(const std::string& place, const std::string& text, Diagnostics& problems);

/// Parses `key=value` as given with --set. A value that is not TOML counts as text, so that names need no quotes.
/// Returns a document with one entry, or none and a CFG-SYNTAX problem.
[[nodiscard]] ConfigDocument parse_override(const std::string& text, Diagnostics& problems);

}  // namespace teslasim
