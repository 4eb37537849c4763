// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/commands/command_line.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "sim/base/diagnostic.h"
#include "sim/base/excerpt.h"

namespace teslasim {
namespace {

bool sticks(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '$' || c == '@';
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::size_t length_of_word(std::string_view rest) {
  std::size_t length = 0;
  while (length < rest.size() && sticks(rest[length])) ++length;
  if (length != 0) return length;
  if (rest.starts_with("==") || rest.starts_with("!=")) return 2;
  // A character of several bytes stays in one piece, for messages.
  length = 1;
  while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xc0U) == 0x80U) ++length;
  return length;
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  constexpr int decimal = 10, hexadecimal = 16;
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, is_hexadecimal ? hexadecimal : decimal);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<CommandWord> words_of(std::string_view line) {
  std::vector<CommandWord> words;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '#') break;
    if (is_blank(line[i])) {
      ++i;
      continue;
    }
    const std::size_t length = length_of_word(line.substr(i));
    words.push_back({std::string(line.substr(i, length)), static_cast<std::uint32_t>(i + 1)});
    i += length;
  }
  return words;
}

CommandWord CommandReader::take(std::string_view wanted) {
  if (at_end()) fail_behind(fmt::format("{} is missing", wanted), "");
  return words_[next_++];
}

bool CommandReader::accept(std::string_view word) {
  if (at_end() || words_[next_].text != word) return false;
  ++next_;
  return true;
}

void CommandReader::expect(std::string_view word, std::string_view wanted) {
  if (take(wanted).text != word) fail(fmt::format("'{}' is not {}", words_[next_ - 1].text, wanted), "");
}

std::optional<std::uint64_t> CommandReader::accept_number() {
  const std::optional<std::uint64_t> value = number_of(peek());
  if (value) ++next_;
  return value;
}

std::uint64_t CommandReader::number(std::string_view wanted, std::uint64_t most) {
  const CommandWord word = take(wanted);
  const std::optional<std::uint64_t> value = number_of(word.text);
  if (!value) fail(fmt::format("'{}' is not {}", word.text, wanted), "a whole number, or hexadecimal such as 0x30");
  if (*value > most) fail(fmt::format("{} is at most {}, got {}", wanted, most, word.text), "");
  return *value;
}

void CommandReader::finish() const {
  if (at_end()) return;
  const CommandWord& word = words_[next_];
  fail_at(word.column, word.text.size(), fmt::format("'{}' is more than the command takes", word.text),
          fmt::format("help {}", words_.front().text), "DEBUG-VALUE");
}

void CommandReader::fail(std::string message, std::string help, std::string code) const {
  const CommandWord& word = words_[next_ == 0 ? 0 : next_ - 1];
  fail_at(word.column, word.text.size(), std::move(message), std::move(help), std::move(code));
}

void CommandReader::fail_behind(std::string message, std::string help) const {
  const CommandWord& last = words_[next_ == 0 ? 0 : next_ - 1];
  fail_at(last.column + static_cast<std::uint32_t>(last.text.size()), 1, std::move(message), std::move(help),
          "DEBUG-VALUE");
}

void CommandReader::fail_at(std::uint32_t column, std::size_t length, std::string message, std::string help,
                            std::string code) const {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  diagnostic.where = {line_.file, line_.line, column, static_cast<std::uint32_t>(length)};
  diagnostic.excerpt = line_.text;
  throw InputError(ExitCode::usage, std::move(diagnostic));
}

}  // namespace teslasim
