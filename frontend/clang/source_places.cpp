// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/source_places.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "frontend/clang/kernel_names.h"
#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

/// The numbers behind `.loc`: file, line, column.
std::array<std::uint32_t, 3> numbers_of(std::string_view text) {
  std::array<std::uint32_t, 3> numbers{};
  for (std::uint32_t& number : numbers) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc()) break;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  }
  return numbers;
}

/// The name in `.file 1 "folder" "name"`.
std::string name_of_file(std::string_view line) {
  std::vector<std::string> quoted;
  for (std::size_t start = line.find('"'); start != std::string_view::npos; start = line.find('"', start + 1)) {
    const std::size_t end = line.find('"', start + 1);
    if (end == std::string_view::npos) break;
    quoted.emplace_back(line.substr(start + 1, end - start - 1));
    start = end;
  }
  if (quoted.empty()) return "";
  const bool whole = quoted.size() == 1 || quoted[1].starts_with('/');
  return whole ? quoted.back() : quoted[0] + "/" + quoted[1];
}

/// `float *name[`, `int a, name =`: where a name follows a type and something that declares it follows the name.
std::size_t column_of_declaration(std::string_view line, std::string_view name) {
  line = line.substr(0, line.find("//"));
  for (std::size_t at = line.find(name, 1); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const std::size_t after = line.find_first_not_of(" \t", at + name.size());
    const std::size_t before = line.find_last_not_of(" \t", at - 1);
    const bool begins = line.find_last_of(" \t*&,", at - 1) == at - 1 && (before == at - 1 || line[before] != '=');
    if (begins && after != std::string_view::npos &&
        std::string_view("[=;,").find(line[after]) != std::string_view::npos)
      return at;
  }
  return std::string_view::npos;
}

}  // namespace

SourcePlaces::SourcePlaces(std::string_view ptx, const std::string& path, const std::string& full,
                           std::string_view source)
    : path_(path), lines_(lines_of(source)) {
  constexpr std::string_view file = ".file", mark = ".loc";
  const std::vector<std::string> text = lines_of(ptx);
  const auto directive = [](const std::string& line, std::string_view word) -> std::string_view {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos || !std::string_view(line).substr(start).starts_with(word)) return {};
    return std::string_view(line).substr(start + word.size());
  };
  for (const std::string& line : text) {
    const std::string_view rest = directive(line, file);
    if (rest.empty()) continue;
    const std::uint32_t number = numbers_of(rest)[0];
    files_[number] = name_of_file(rest);
    if (files_[number] == full) source_ = number;
  }
  std::uint32_t of_kernel = 0;  // the file that the kernel stands in, which may be a header
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    if (text[i].find(".entry") != std::string::npos) {
      marks_[i + 1] = {};
      of_kernel = 0;
    }
    const std::string_view numbers = directive(text[i], mark);
    if (numbers.empty()) continue;
    const auto [number, line, column] = numbers_of(numbers);
    if (of_kernel == 0) of_kernel = number;
    if ((number == source_ || number == of_kernel) && line != 0) marks_[i + 1] = {number, line, column};
  }
}

void SourcePlaces::translate(Diagnostic& diagnostic) const {
  diagnostic.message = with_source_names(diagnostic.message);
  diagnostic.help = with_source_names(diagnostic.help);
  if (diagnostic.where.line == 0) return;
  translate_place(diagnostic);
  if (diagnostic.where.line == 0) find_declaration(diagnostic);
}

/// The PTX has no lines of variables of a file: the one that declares the name in quotes is taken.
void SourcePlaces::find_declaration(Diagnostic& diagnostic) const {
  const std::size_t start = diagnostic.message.find('\'');
  const std::size_t end = start == std::string::npos ? start : diagnostic.message.find('\'', start + 1);
  if (end == std::string::npos) return;
  std::string name = diagnostic.message.substr(start + 1, end - start - 1);
  if (const std::size_t scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
  for (std::uint32_t i = 0; i < lines_.size() && !name.empty(); ++i) {
    const std::size_t column = column_of_declaration(lines_[i], name);
    if (column == std::string::npos) continue;
    diagnostic.where.line = i + 1;
    diagnostic.where.column = static_cast<std::uint32_t>(column + 1);
    diagnostic.excerpt = lines_[i];
    return;
  }
}

void SourcePlaces::translate_place(Diagnostic& diagnostic) const {
  auto mark = marks_.upper_bound(diagnostic.where.line);
  diagnostic.excerpt.clear();
  diagnostic.where = {path_, 0, 0, 1};
  if (mark == marks_.begin()) return;
  --mark;
  // A place at the head of a function is that of its first line.
  if (mark->second.line == 0 && std::next(mark) != marks_.end()) ++mark;
  const Place& place = mark->second;
  const bool in_source = place.file == source_;
  if (place.line == 0 || (in_source && place.line > lines_.size())) return;
  diagnostic.where.line = place.line;
  diagnostic.where.column = std::max(1U, place.column);
  if (in_source)
    diagnostic.excerpt = lines_[place.line - 1];
  else if (const auto name = files_.find(place.file); name != files_.end())
    diagnostic.where.file = name->second;
}

}  // namespace teslasim::cuda
