// SPDX-License-Identifier: Apache-2.0
#include "sim/base/diagnostic.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace teslasim {

namespace {

constexpr std::size_t printed_at_most = 20;
constexpr std::size_t narrowest_gutter = 3;

std::string_view name_of(Diagnostic::Severity severity) {
  switch (severity) {
    case Diagnostic::Severity::error:
      return "error";
    case Diagnostic::Severity::warning:
      return "warning";
    case Diagnostic::Severity::note:
      break;
  }
  return "note";
}

std::string place_of(const SourceLocation& where) {
  std::string place = where.file;
  if (where.line == 0) return place;
  place += ":" + std::to_string(where.line);
  if (where.column != 0) place += ":" + std::to_string(where.column);
  return place;
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/// What stands below the excerpt left of the caret: tabs stay tabs so that the caret stays under its text. A place
/// behind the end of the line ("something is missing here") is shown right behind it.
std::string caret_padding(const std::string& excerpt, std::uint32_t column) {
  std::string padding;
  std::uint32_t seen = 1;
  for (std::size_t i = 0; i < excerpt.size() && seen < column; ++i) {
    if (continues_character(excerpt[i])) continue;
    padding += excerpt[i] == '\t' ? '\t' : ' ';
    ++seen;
  }
  return padding;
}

std::uint32_t caret_width(const Diagnostic& diagnostic) {
  const auto characters = static_cast<std::uint32_t>(std::count_if(diagnostic.excerpt.begin(), diagnostic.excerpt.end(),
                                                                   [](char c) { return !continues_character(c); }));
  const std::uint32_t wanted = std::max<std::uint32_t>(diagnostic.where.length, 1);
  if (diagnostic.where.column > characters) return 1;
  return std::min(wanted, characters - diagnostic.where.column + 1);
}

/// Bytes of the input that would move the cursor or change the colour of a terminal become '?'.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) < 0x20U && c != '\t') || c == 0x7f; }, '?');
  return text;
}

void append_excerpt(std::string& out, const Diagnostic& diagnostic, const std::string& margin) {
  const SourceLocation& where = diagnostic.where;
  std::string number = where.line == 0 ? std::string{} : std::to_string(where.line);
  number.insert(0, margin.size() - number.size(), ' ');
  out += margin + "|\n" + number + "| " + printable(diagnostic.excerpt) + "\n";
  if (where.column == 0) return;
  out += margin + "| " + caret_padding(diagnostic.excerpt, where.column) + std::string(caret_width(diagnostic), '^') +
         "\n";
}

/// Appends "<margin>= label: text"; further lines of the text are aligned below its first.
void append_remark(std::string& out, const std::string& margin, std::string_view label, const std::string& text) {
  const std::string head = margin + "= " + std::string(label) + ": ";
  out += head;
  for (const char c : text) {
    out += c;
    if (c == '\n') out.append(head.size(), ' ');
  }
  out += '\n';
}

auto position(const Diagnostic& diagnostic) {
  return std::tuple{diagnostic.where.line, diagnostic.where.column};
}

std::string first_sentence(const std::vector<Diagnostic>& diagnostics) {
  if (diagnostics.empty()) return "invalid input";
  const Diagnostic& first = diagnostics.front();
  return first.code.empty() ? first.message : first.code + ": " + first.message;
}

}  // namespace

std::string render(const Diagnostic& diagnostic) {
  std::string out{name_of(diagnostic.severity)};
  if (!diagnostic.code.empty()) out += "[" + diagnostic.code + "]";
  out += ": " + diagnostic.message + "\n";
  const std::size_t digits = diagnostic.where.line == 0 ? 0 : std::to_string(diagnostic.where.line).size();
  const std::string margin(std::max(narrowest_gutter, digits), ' ');
  if (!diagnostic.where.file.empty()) {
    out += margin.substr(1) + "--> " + place_of(diagnostic.where) + "\n";
  }
  if (!diagnostic.excerpt.empty()) append_excerpt(out, diagnostic, margin);
  for (const std::string& detail : diagnostic.details) out += margin + detail + "\n";
  for (const std::string& note : diagnostic.notes) append_remark(out, margin, "note", note);
  if (!diagnostic.cause.empty()) append_remark(out, margin, "cause", diagnostic.cause);
  if (!diagnostic.help.empty()) append_remark(out, margin, "help", diagnostic.help);
  return out;
}

std::string render(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  const std::size_t printed = std::min(diagnostics.size(), printed_at_most);
  for (std::size_t i = 0; i < printed; ++i) out += render(diagnostics[i]);
  if (printed < diagnostics.size()) out += "… and " + std::to_string(diagnostics.size() - printed) + " more\n";
  return out;
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Diagnostic::Severity::error) ++errors_;
  // Behind the last one of its file, then forward past those of the same file that stand further down. Readers report
  // nearly in order, so this rarely moves anything. Without a line number the order of arrival stays.
  auto same_file = [&](const Diagnostic& other) { return other.where.file == diagnostic.where.file; };
  auto place = std::find_if(diagnostics_.rbegin(), diagnostics_.rend(), same_file).base();
  if (place == diagnostics_.begin()) place = diagnostics_.end();
  auto stands_before = [&](const Diagnostic& other) {
    return diagnostic.where.line != 0 && same_file(other) && position(diagnostic) < position(other);
  };
  while (place != diagnostics_.begin() && stands_before(*std::prev(place))) --place;
  diagnostics_.insert(place, std::move(diagnostic));
}

InputError::InputError(ExitCode exit_code, std::vector<Diagnostic> diagnostics)
    : std::runtime_error(first_sentence(diagnostics)), exit_code_(exit_code), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(ExitCode exit_code, Diagnostic diagnostic)
    : InputError(exit_code, std::vector<Diagnostic>{std::move(diagnostic)}) {}

}  // namespace teslasim
