// SPDX-License-Identifier: Apache-2.0
#include "frontend/cubin/text_blocks.h"

#include <algorithm>

#include "sim/base/utf8.h"

namespace teslasim {
namespace {

/// Deeper than any cubin: code { const { mem { } } }.
constexpr unsigned most_levels = 8;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
bool is_punctuation(char c) {
  return c == '{' || c == '}' || c == '=';
}

/// Cuts the text into words and punctuation.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  /// The next piece; empty text at the end.
  CubinWord next() {
    skip_space();
    CubinWord word{text_.substr(position_, 0), line_, column()};
    if (position_ == text_.size()) return word;
    std::size_t end = position_ + 1;
    if (!is_punctuation(text_[position_])) {
      while (end < text_.size() && !is_space(text_[end]) && !is_punctuation(text_[end])) ++end;
    }
    word.text = text_.substr(position_, end - position_);
    position_ = end;
    return word;
  }
  /// Looks at the next piece without taking it.
  [[nodiscard]] CubinWord peek() const {
    Scanner copy = *this;
    return copy.next();
  }

 private:
  void skip_space() {
    for (; position_ < text_.size() && is_space(text_[position_]); ++position_) {
      if (text_[position_] != '\n') continue;
      ++line_;
      line_start_ = position_ + 1;
    }
  }
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(position_ - line_start_ + 1); }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

class BlockParser {
 public:
  BlockParser(std::string_view text, CubinProblems& problems) : scanner_(text), problems_(problems) {}

  CubinBlock parse_file() {
    CubinBlock file;
    while (!stopped_ && !scanner_.peek().text.empty()) {
      const CubinWord word = scanner_.next();
      if (word.text == "}") {
        stop(word, "this '}' closes nothing", "remove it, or add the block that it belongs to");
      } else {
        parse_item(file, word, 1);
      }
    }
    return file;
  }

 private:
  void stop(const CubinWord& word, std::string message, std::string help) {
    problems_.add("CUBIN-SYNTAX", word, std::move(message), std::move(help));
    stopped_ = true;
  }

  /// A word, a field or a block that starts with `word`.
  void parse_item(CubinBlock& parent, const CubinWord& word, unsigned level) {
    if (is_punctuation(word.text[0])) {
      stop(word, "a name is missing before this", "write 'name = value' or 'name { ... }'");
      return;
    }
    const std::string_view next = scanner_.peek().text;
    if (next == "=") {
      parse_field(parent, word);
    } else if (next == "{") {
      parse_block(parent, word, level);
    } else {
      parent.words.push_back(word);
    }
  }

  void parse_field(CubinBlock& parent, const CubinWord& name) {
    (void)scanner_.next();
    const CubinWord value = scanner_.next();
    if (value.text.empty() || is_punctuation(value.text[0])) {
      stop(value, "the value of '" + std::string(name.text) + "' is missing", "write 'name = value'");
      return;
    }
    parent.fields.push_back({name, value});
  }

  void parse_block(CubinBlock& parent, const CubinWord& name, unsigned level) {
    const CubinWord opening = scanner_.next();
    if (level > most_levels) {
      stop(opening, "blocks are nested too deeply", "a cubin needs four levels");
      return;
    }
    CubinBlock block;
    block.name = name;
    while (!stopped_) {
      const CubinWord word = scanner_.next();
      if (word.text.empty()) {
        stop(opening, "the block '" + std::string(name.text) + "' is not closed", "the file is cut short: add '}'");
      } else if (word.text == "}") {
        break;
      } else {
        parse_item(block, word, level + 1);
      }
    }
    parent.blocks.push_back(std::move(block));
  }

  Scanner scanner_;
  CubinProblems& problems_;
  bool stopped_ = false;
};

}  // namespace

const CubinField* CubinBlock::field(std::string_view field_name) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const CubinField& candidate) { return candidate.name.text == field_name; });
  return found == fields.end() ? nullptr : &*found;
}

const CubinBlock* CubinBlock::block(std::string_view block_name) const {
  const auto found = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const CubinBlock& candidate) { return candidate.name.text == block_name; });
  return found == blocks.end() ? nullptr : &*found;
}

SourceLocation CubinProblems::place(const CubinWord& word) const {
  const std::uint32_t first = std::max(1U, word.column);
  const std::string line = excerpt(word);
  const std::uint32_t column = column_of_offset(line, first - 1);
  const std::uint32_t behind = column_of_offset(line, first - 1 + word.text.size());
  return {path_, std::max(1U, word.line), column, std::max(1U, behind - column)};
}

std::string CubinProblems::excerpt(const CubinWord& word) const {
  // Words point into the text; the end of the file has an empty one there.
  const auto* const start = word.text.data();
  if (start == nullptr || start < text_.data() || start > text_.data() + text_.size()) return "";
  const auto position = static_cast<std::size_t>(start - text_.data());
  const std::size_t before = position == 0 ? std::string_view::npos : text_.rfind('\n', position - 1);
  const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
  return std::string(text_.substr(first, text_.find('\n', position) - first));
}

void CubinProblems::add(std::string code, const CubinWord& word, std::string message, std::string help) {
  Diagnostic problem;
  problem.code = std::move(code);
  problem.message = std::move(message);
  problem.where = place(word);
  problem.excerpt = excerpt(word);
  problem.help = std::move(help);
  diagnostics_.add(std::move(problem));
}

void CubinProblems::throw_if_any() const {
  if (any()) throw InputError(ExitCode::input, diagnostics_.all());
}

CubinBlock parse_cubin_blocks(std::string_view text, CubinProblems& problems) {
  return BlockParser(text, problems).parse_file();
}

}  // namespace teslasim
