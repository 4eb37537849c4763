// SPDX-License-Identifier: Apache-2.0
// The text that a launch came from, and the collection of what is wrong with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {

/// A launch file, or the launch options of the command line with one line per option.
struct SourceText {
  std::string name;  ///< path, or "command line"
  std::vector<std::string> lines;

  /// Splits `text` at line ends.
  [[nodiscard]] static SourceText from(std::string name, std::string_view text);
  [[nodiscard]] const std::string& line(std::uint32_t number) const;
};

/// One mistake, before its excerpt is added.
struct Mistake {
  std::string code;
  std::string message;
  SourceLocation where;
  std::string help;
  std::vector<std::string> notes;
};

/// Collects the mistakes of one source text with excerpts, so that all are reported at once (the first 200 of them).
class MistakeList {
 public:
  explicit MistakeList(SourceText text) : text_(std::move(text)) {}

  /// A second text that places may refer to; the name tells them apart.
  void add_text(SourceText text) { second_ = std::move(text); }
  /// A note for the first error, if there is one.
  void set_note(std::string note) { note_ = std::move(note); }

  void error(Mistake mistake) { add(std::move(mistake), Diagnostic::Severity::error); }
  void warning(Mistake mistake) { add(std::move(mistake), Diagnostic::Severity::warning); }

  [[nodiscard]] const SourceText& text() const { return text_; }
  [[nodiscard]] bool has_errors() const { return errors_ != 0; }
  [[nodiscard]] std::size_t errors() const { return errors_; }
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const { return warnings_; }
  /// Throws everything found, sorted by place, if any of it is an error. The exit code is `usage` when all mistakes
  /// are in command-line options.
  void throw_errors(ExitCode exit_code) const;

 private:
  void add(Mistake mistake, Diagnostic::Severity severity);

  SourceText text_, second_;
  std::string note_;
  std::vector<Diagnostic> diagnostics_;
  std::vector<Diagnostic> warnings_;
  std::size_t errors_ = 0;
};

/// Help text for a misspelt word: the nearest candidate, or all of them when none is near.
[[nodiscard]] std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                                       const std::string& what);
/// "a, b, c"
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

}  // namespace teslasim
