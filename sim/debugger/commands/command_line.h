// SPDX-License-Identifier: Apache-2.0
// A line of the debugger's language in words, and mistakes in it as messages with a caret.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

/// Where a line comes from, and what it says.
struct CommandLine {
  std::string text;
  std::string file;        ///< or "standard input"
  std::uint32_t line = 0;  ///< from 1 on
};

struct CommandWord {
  std::string text;
  std::uint32_t column = 1;  ///< counts bytes from 1
};

/// Letters, digits, '_', '.', '$' and '@' stick together; "==", "!=" and every other character are words of their own.
/// What follows '#' is a remark.
[[nodiscard]] std::vector<CommandWord> words_of(std::string_view line);

/// Reads the words of one line from left to right.
class CommandReader {
 public:
  explicit CommandReader(const CommandLine& line) : line_(line), words_(words_of(line.text)) {}

  [[nodiscard]] bool at_end() const { return next_ == words_.size(); }
  /// The next word; empty at the end.
  [[nodiscard]] std::string_view peek() const { return at_end() ? std::string_view{} : words_[next_].text; }
  /// Takes the next word, which must be there; `wanted` says what it should be.
  CommandWord take(std::string_view wanted);
  /// Takes the next word when it is this one.
  bool accept(std::string_view word);
  void expect(std::string_view word, std::string_view wanted);
  /// Takes the next word when it is a whole number: decimal, or hexadecimal with 0x in front.
  std::optional<std::uint64_t> accept_number();
  /// Takes a whole number up to `most`.
  std::uint64_t number(std::string_view wanted, std::uint64_t most);
  /// There must be nothing left.
  void finish() const;

  /// Throws InputError (usage): about the word taken last, and about the place behind it.
  [[noreturn]] void fail(std::string message, std::string help, std::string code = "DEBUG-VALUE") const;
  [[noreturn]] void fail_behind(std::string message, std::string help) const;

 private:
  [[noreturn]] void fail_at(std::uint32_t column, std::size_t length, std::string message, std::string help,
                            std::string code) const;

  const CommandLine& line_;
  std::vector<CommandWord> words_;
  std::size_t next_ = 0;
};

}  // namespace teslasim
