// SPDX-License-Identifier: Apache-2.0
// What readers of text traces share: reading line by line, and collecting problems.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {

/// Reads a text of any length, one line at a time. Readers derive from it and collect problems of the current line; the
/// 20th problem, or the end of the text, throws them all (InputError, ExitCode::input).
class TextLines {
 public:
  static constexpr std::size_t most_problems = 20;

  /// How far the text has been read, in bytes.
  [[nodiscard]] std::uint64_t position() const { return position_; }

 protected:
  /// `path` and `code` appear in every message.
  TextLines(std::string path, std::unique_ptr<std::istream> text, const char* code);

  /// The next line into `line_`, without its end (either kind); false when there is none.
  [[nodiscard]] bool read_line();
  /// `column` and `length` count bytes, from 0.
  void problem(std::size_t column, std::size_t length, std::string message, std::string help = "");
  void throw_problems() const;
  [[nodiscard]] bool has_problems() const { return !problems_.empty(); }
  [[nodiscard]] bool readable() const { return static_cast<bool>(*text_); }

  std::string path_;
  std::string line_;
  std::size_t line_number_ = 0;

 private:
  std::unique_ptr<std::istream> text_;
  const char* code_;
  std::uint64_t position_ = 0;
  std::vector<Diagnostic> problems_;
};

}  // namespace teslasim
