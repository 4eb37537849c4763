// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/read/source_text.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace teslasim {

SourceText SourceText::from(std::string name, std::string_view text) {
  SourceText source{std::move(name), {}};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    source.lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return source;
}

const std::string& SourceText::line(std::uint32_t number) const {
  static const std::string none;
  if (number == 0 || number > lines.size()) return none;
  return lines[number - 1];
}

void MistakeList::add(Mistake mistake, Diagnostic::Severity severity) {
  // The defaults of a launch file are checked once for each launch that uses them.
  const bool known = std::any_of(diagnostics_.begin(), diagnostics_.end(), [&](const Diagnostic& d) {
    return d.code == mistake.code && d.message == mistake.message && d.where.file == mistake.where.file &&
           d.where.line == mistake.where.line && d.where.column == mistake.where.column;
  });
  if (known) return;
  if (severity == Diagnostic::Severity::error) ++errors_;
  constexpr std::size_t most_kept = 200;
  if (diagnostics_.size() >= most_kept) return;
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = std::move(mistake.code);
  diagnostic.message = std::move(mistake.message);
  const SourceText& text = mistake.where.file == second_.name ? second_ : text_;
  diagnostic.excerpt = text.line(mistake.where.line);
  diagnostic.where = std::move(mistake.where);
  diagnostic.notes = std::move(mistake.notes);
  diagnostic.help = std::move(mistake.help);
  if (severity == Diagnostic::Severity::warning) warnings_.push_back(diagnostic);
  diagnostics_.push_back(std::move(diagnostic));
}

void MistakeList::throw_errors(ExitCode exit_code) const {
  if (errors_ == 0) return;
  std::vector<Diagnostic> sorted = diagnostics_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.where.file, a.where.line, a.where.column) < std::tie(b.where.file, b.where.line, b.where.column);
  });
  const auto of_options = [this](const Diagnostic& d) { return !second_.name.empty() && d.where.file == second_.name; };
  if (std::all_of(sorted.begin(), sorted.end(), of_options)) exit_code = ExitCode::usage;
  if (!note_.empty()) sorted.front().notes.push_back(note_);
  throw InputError(exit_code, std::move(sorted));
}

std::string listed(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates, const std::string& what) {
  const std::string near = nearest_word(word, candidates);
  if (!near.empty()) return "did you mean '" + near + "'?";
  if (candidates.empty()) return "there are none to choose from";
  return what + ": " + listed(candidates);
}

}  // namespace teslasim
