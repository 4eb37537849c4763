// SPDX-License-Identifier: Apache-2.0
// .rept and .macro: bodies are fed back into the assembler, line by line.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/text/module_builder.h"

namespace teslasim::text {

using SourceLines = std::vector<const SourceLine*>;

/// The directive that a line begins with, '.' included; empty when it is none.
[[nodiscard]] std::string_view directive_of(const SourceLine& line);

class Expander {
 public:
  /// `process` assembles the lines of an expansion.
  using Process = std::function<void(const SourceLines&, const Expansion*)>;
  Expander(ModuleBuilder& builder, Process process) : builder_(builder), process_(std::move(process)) {}

  /// `.rept` stands at `start`: assembles its repetitions. Index of the line that closes it; lines.size() when it is
  /// missing.
  [[nodiscard]] std::size_t process_repeat(const SourceLines& lines, std::size_t start, const Expansion* expansion);
  /// `.macro` stands at `start`; as above.
  [[nodiscard]] std::size_t define_macro(const SourceLines& lines, std::size_t start, const Expansion* expansion);
  /// Assembles the body of the macro whose name stands at the cursor; false when none does.
  [[nodiscard]] bool expand_macro(Cursor& cursor, LineReference where);

 private:
  using Arguments = std::vector<std::pair<std::string, std::string>>;
  struct Macro {
    std::vector<std::string> parameters;
    SourceLines body;
    std::uint32_t line = 0;
  };

  [[nodiscard]] std::size_t close_of(const SourceLines& lines, std::size_t start, const Expansion* expansion,
                                     std::string_view open, std::string_view close);
  void repeat(const SourceLine& head, const SourceLines& body, const Expansion* expansion);
  [[nodiscard]] SourceLines repetition(const SourceLines& body, const Expansion* here, const std::string& counter,
                                       std::int64_t n);
  [[nodiscard]] std::pair<std::string, Macro> read_macro_head(const SourceLine& head) const;
  [[nodiscard]] const SourceLine* substituted(LineReference where, const Arguments& arguments);

  ModuleBuilder& builder_;
  Process process_;
  std::deque<SourceLine> lines_;  ///< that expansions made; addresses stay valid
  std::deque<Expansion> expansions_;
  std::map<std::string, Macro, std::less<>> macros_;
  std::uint64_t macro_uses_ = 0;
  unsigned depth_ = 0;
};

}  // namespace teslasim::text
