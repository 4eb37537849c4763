// SPDX-License-Identifier: Apache-2.0
#include "sim/base/diagnostic.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/base/excerpt.h"

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
  std::string place = printable(where.file);
  if (where.line == 0) return place;
  place += ":" + std::to_string(where.line);
  if (where.column != 0) place += ":" + std::to_string(where.column);
  return place;
}

void append_excerpt(std::string& out, const Diagnostic& diagnostic, const std::string& margin) {
  const SourceLocation& where = diagnostic.where;
  std::string number = where.line == 0 ? std::string{} : std::to_string(where.line);
  number.insert(0, margin.size() - number.size(), ' ');
  const Excerpt excerpt = excerpt_of(diagnostic.excerpt, where.column, where.length);
  out += margin + "|\n" + number + "| " + excerpt.line + "\n";
  if (!excerpt.carets.empty()) out += margin + "| " + excerpt.carets + "\n";
}

/// Appends "<margin>= label: text"; further lines of the text are aligned below its first.
void append_remark(std::string& out, const std::string& margin, std::string_view label, const std::string& text) {
  const std::string head = margin + "= " + std::string(label) + ": ";
  out += head;
  for (const char c : readable(text)) {
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
  out += ": " + readable(diagnostic.message) + "\n";
  const std::size_t digits = diagnostic.where.line == 0 ? 0 : std::to_string(diagnostic.where.line).size();
  const std::string margin(std::max(narrowest_gutter, digits), ' ');
  if (!diagnostic.where.file.empty()) {
    out += margin.substr(1) + "--> " + place_of(diagnostic.where) + "\n";
  }
  if (!diagnostic.excerpt.empty()) append_excerpt(out, diagnostic, margin);
  for (const std::string& detail : diagnostic.details) out += margin + readable(detail) + "\n";
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

void fail_check(const char* file, int line, std::string_view text) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + std::string(text));
}

}  // namespace teslasim
