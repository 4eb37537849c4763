// SPDX-License-Identifier: Apache-2.0
// A reading position in one statement of assembly text, and the error that refers to a place in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace teslasim::text {

/// Thrown inside the assembler for one statement; turned into a Diagnostic with file, line and excerpt by its caller.
/// Columns count from 1; column 0 means the whole statement.
struct TextError {
  std::string code;
  std::string message;
  std::string help;
  std::uint32_t column = 0;
  std::uint32_t length = 1;
};

/// A range of columns in a statement.
struct Span {
  std::uint32_t column = 0;
  std::uint32_t length = 1;
};

[[noreturn]] void fail(std::string code, Span where, std::string message, std::string help = "");

[[nodiscard]] bool is_word_character(char c);
/// `text` without its comment and without trailing blanks.
[[nodiscard]] std::string_view without_comment(std::string_view text);

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t position() const { return position_; }
  void rewind(std::size_t position) { position_ = position; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(position_ + 1); }
  /// The columns from `start` (a `position()`) up to here, without trailing blanks.
  [[nodiscard]] Span span_from(std::size_t start) const;
  /// The word or character that stands here, for an error message.
  [[nodiscard]] Span here() const;

  void skip_space();
  [[nodiscard]] bool at_end();
  /// Next character after blanks, 0 at the end.
  [[nodiscard]] char peek();
  /// Character `offset` places further, without skipping blanks; 0 past the end.
  [[nodiscard]] char look(std::size_t offset = 0) const;
  void advance(std::size_t count = 1) { position_ += count; }
  /// Takes `token` if it is next (after blanks).
  [[nodiscard]] bool accept(std::string_view token);
  void expect(std::string_view token, std::string_view after);
  /// Takes a run of letters, digits and '_'; empty when there is none. Does not skip blanks.
  [[nodiscard]] std::string_view take_word();
  /// A name (letter or '_' first); an error that says `what` was expected otherwise.
  [[nodiscard]] std::string_view expect_name(std::string_view what);
  /// What stands up to the next '"', which is taken; the opening one must have been taken.
  [[nodiscard]] std::string expect_quoted(std::string_view what);
  void expect_end();

 private:
  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace teslasim::text
