// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_mistakes.h"

namespace teslasim::ptx {
namespace {

std::string line_of(std::string_view text, std::uint32_t number) {
  for (std::uint32_t line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

Diagnostic diagnostic_of(const PtxMistake& mistake, Diagnostic::Severity severity, const std::string& file,
                         std::string_view text) {
  Diagnostic one;
  one.severity = severity;
  one.code = mistake.code;
  one.message = mistake.message;
  one.where = {file, mistake.place.line, mistake.place.column, mistake.place.length};
  one.excerpt = line_of(text, mistake.place.line);
  one.help = mistake.help;
  return one;
}

void throw_mistakes(const std::vector<PtxMistake>& mistakes, const std::string& file, std::string_view text) {
  if (mistakes.empty()) return;
  Diagnostics all;
  for (const PtxMistake& mistake : mistakes) all.add(diagnostic_of(mistake, Diagnostic::Severity::error, file, text));
  throw InputError(ExitCode::input, all.all());
}

}  // namespace teslasim::ptx
