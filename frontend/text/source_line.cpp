// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/source_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/utf8.h"

namespace teslasim::text {
namespace {

/// The outermost macro of the chain, or nullptr.
const Expansion* outermost_macro(const Expansion* expansion) {
  const Expansion* found = nullptr;
  for (; expansion != nullptr; expansion = expansion->parent) {
    if (expansion->kind == Expansion::Kind::macro) found = expansion;
  }
  return found;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\v\f");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\v\f") - first + 1));
}

Span whole_line(std::string_view text) {
  text = without_comment(text);
  const std::size_t first = std::min(text.find_first_not_of(" \t\r\v\f"), text.size());
  return {static_cast<std::uint32_t>(first + 1),
          static_cast<std::uint32_t>(std::max<std::size_t>(1, text.size() - first))};
}

std::string note_of(const Expansion& expansion) {
  if (expansion.kind == Expansion::Kind::macro)
    return fmt::format("in the expansion of macro '{}', defined at line {}", expansion.name, expansion.definition_line);
  return fmt::format("in repetition {} of the .rept at line {}", expansion.iteration, expansion.definition_line);
}

}  // namespace

std::uint32_t LineReference::reported_line() const {
  const Expansion* macro = outermost_macro(expansion);
  return macro != nullptr ? macro->call_line : line->number;
}

Diagnostic diagnose(const TextError& error, LineReference where, const std::string& file,
                    const std::vector<std::string>& file_lines) {
  Diagnostic result;
  result.code = error.code;
  result.message = error.message;
  result.help = error.help;
  const std::uint32_t line = where.reported_line();
  result.where.file = file;
  result.where.line = line;
  if (line >= 1 && line <= file_lines.size()) result.excerpt = file_lines[line - 1];
  const bool in_place = outermost_macro(where.expansion) == nullptr && !where.line->substituted && error.column != 0;
  const Span span = in_place ? Span{error.column, error.length} : whole_line(result.excerpt);
  // Spans count bytes, places count characters.
  result.where.column = column_of_offset(result.excerpt, span.column - 1);
  result.where.length =
      std::max(1U, column_of_offset(result.excerpt, span.column - 1 + span.length) - result.where.column);
  if (!in_place && where.expansion != nullptr)
    result.notes.push_back(fmt::format("line {} reads here: {}", where.line->number, trimmed(where.line->text)));
  for (const Expansion* e = where.expansion; e != nullptr; e = e->parent) result.notes.push_back(note_of(*e));
  return result;
}

std::string substitute(std::string_view text, const std::vector<std::pair<std::string, std::string>>& arguments) {
  std::string result;
  for (std::size_t i = 0; i < text.size() && result.size() <= longest_line; ++i) {
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    const std::string_view rest = text.substr(i + 1);
    if (rest.starts_with("()")) {
      i += 2;
      continue;
    }
    std::size_t length = 0;
    while (length < rest.size() && is_word_character(rest[length])) ++length;
    if (length == 0 && !rest.empty()) length = 1;  // \@ and \+
    const std::string_view name = rest.substr(0, length);
    const auto found = std::find_if(arguments.begin(), arguments.end(),
                                    [name](const auto& argument) { return argument.first == name; });
    if (found == arguments.end()) {
      result += '\\';
      continue;
    }
    result += found->second;
    i += length;
  }
  return result;
}

}  // namespace teslasim::text
