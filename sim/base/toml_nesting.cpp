// SPDX-License-Identifier: Apache-2.0
#include "sim/base/toml_nesting.h"

#include <algorithm>
#include <vector>

#include "sim/base/utf8.h"

namespace teslasim {

namespace {

class NestingScan {
 public:
  explicit NestingScan(std::string_view text) : text_(text) {}

  /// Offset of what is too deep, or npos.
  std::size_t run() {
    while (at_ < text_.size()) {
      step();
      if (depth() > deepest_toml_nesting) return at_;
    }
    return std::string_view::npos;
  }

 private:
  /// Levels that an open bracket stands in; behind it keys and values begin anew.
  struct Open {
    unsigned outside = 0;
    bool header = false;  ///< of [table] and [[table]]
  };

  [[nodiscard]] unsigned depth() const { return levels_ + dots_; }

  void step() {
    const char c = text_[at_];
    if (c == '#') return skip_to_line_end();
    if (c == '"' || c == '\'') return skip_string();
    ++at_;
    if (c == '.') {
      ++dots_;
    } else if (c == '[' || c == '{') {
      open(c);
    } else if (c == ']' || c == '}') {
      close();
    } else if (c == ',' && !open_.empty()) {
      dots_ = 0;
      levels_ = open_.back().outside + 1;
    } else if (c == '=') {
      levels_ += dots_;
      dots_ = 0;
    } else if (c == '\n' && open_.empty()) {
      start_line();
    }
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') line_is_empty_ = false;
  }

  void open(char bracket) {
    const bool header = bracket == '[' && line_is_empty_;
    const bool second_of_header = bracket == '[' && !open_.empty() && open_.back().header && dots_ == 0;
    if (header) levels_ = header_ = 0;
    open_.push_back({levels_, header || second_of_header});
    levels_ = header ? 0 : levels_ + 1;
  }

  void close() {
    if (open_.empty()) return;
    if (open_.back().header) header_ = std::max(header_, levels_ + dots_ + 1);
    levels_ = open_.back().outside;
    dots_ = 0;
    open_.pop_back();
  }

  void start_line() {
    levels_ = header_;
    dots_ = 0;
    line_is_empty_ = true;
  }

  void skip_to_line_end() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  void skip_string() {
    const char quote = text_[at_];
    const std::string_view rest = text_.substr(at_);
    const bool long_form = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
    line_is_empty_ = false;
    at_ += long_form ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' && !long_form) return;
      at_ += c == '\\' && quote == '"' ? 2 : 1;
      if (c != quote) continue;
      if (!long_form) return;
      if (text_.substr(at_, 2) != std::string(2, quote)) continue;
      at_ += 2;
      while (at_ < text_.size() && text_[at_] == quote) ++at_;
      return;
    }
    at_ = text_.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  unsigned header_ = 0;  ///< levels of the present [table]
  unsigned levels_ = 0;  ///< around the present key or value
  unsigned dots_ = 0;    ///< of the present key (or number)
  bool line_is_empty_ = true;
};

}  // namespace

std::optional<SourceLocation> too_deep_toml(std::string_view text, const std::string& file) {
  const std::size_t end = NestingScan(text).run();
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view before = text.substr(0, end);
  const std::size_t last_line = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const auto line = static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n'));
  return SourceLocation{file, line, column_of_offset(text.substr(last_line), end - last_line - 1), 1};
}

std::string deep_toml_message() {
  return "tables are nested more than " + std::to_string(deepest_toml_nesting) + " deep";
}

}  // namespace teslasim
