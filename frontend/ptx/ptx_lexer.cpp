// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_lexer.h"

#include <cctype>
#include <cstddef>

namespace teslasim::ptx {
namespace {

constexpr std::string_view punctuation = "{}[]()<>,;:@!+-*/%&|^~?=";

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool continues_name(char c) {
  return is_letter(c) || is_digit(c);
}

class Lexer {
 public:
  Lexer(std::string_view text, std::vector<PtxMistake>& mistakes) : text_(text), mistakes_(mistakes) {}

  std::vector<PtxToken> run() {
    std::vector<PtxToken> tokens;
    while (true) {
      const std::size_t before = at_;
      skip();
      PtxToken token = next();
      token.glued = before == token_begin_ && !tokens.empty();
      tokens.push_back(token);
      if (token.kind == PtxTokenKind::end) return tokens;
    }
  }

 private:
  [[nodiscard]] char look(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void advance() {
    if (text_[at_] == '\n') {
      ++line_;
      line_begin_ = at_ + 1;
    }
    ++at_;
  }
  [[nodiscard]] PtxPlace place(std::size_t begin, std::size_t length) const {
    return {line_, static_cast<std::uint32_t>(begin - line_begin_ + 1),
            static_cast<std::uint32_t>(length == 0 ? 1 : length)};
  }

  /// Blanks, comments and what no PTX has.
  void skip() {
    while (at_ < text_.size()) {
      const char c = look();
      if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        advance();
      } else if (c == '/' && look(1) == '/') {
        while (at_ < text_.size() && look() != '\n') advance();
      } else if (c == '/' && look(1) == '*') {
        skip_comment();
      } else if (known(c)) {
        return;
      } else {
        mistakes_.push_back({place(at_, 1), "PTX-SYNTAX", "this character has no place in PTX", "delete it"});
        advance();
      }
    }
  }
  void skip_comment() {
    const PtxPlace begin = place(at_, 2);
    at_ += 2;
    while (at_ < text_.size() && !(look() == '*' && look(1) == '/')) advance();
    if (at_ >= text_.size()) {
      mistakes_.push_back({begin, "PTX-SYNTAX", "the comment that begins here does not end", "add */"});
      return;
    }
    at_ += 2;
  }
  [[nodiscard]] bool known(char c) const {
    return continues_name(c) || c == '"' || c == '.' || punctuation.find(c) != std::string_view::npos;
  }

  PtxToken token(PtxTokenKind kind, std::size_t begin, std::size_t skipped = 0) {
    return {kind, text_.substr(begin + skipped, at_ - begin - skipped), place(begin, at_ - begin)};
  }
  PtxToken next() {
    const std::size_t begin = at_;
    token_begin_ = begin;
    if (at_ >= text_.size()) return {PtxTokenKind::end, {}, place(begin, 1)};
    const char c = look();
    if (c == '"') return string();
    if (c == '.' && is_digit(look(1)) && look(2) == 'd' && !continues_name(look(3))) {  // tex.1d
      at_ += 3;
      return token(PtxTokenKind::dotted, begin, 1);
    }
    if (is_digit(c) || (c == '.' && is_digit(look(1)))) return number();
    const bool name = is_letter(c) || (c == '%' && continues_name(look(1)) && !is_digit(look(1)));
    if (name || (c == '.' && is_letter(look(1)))) {
      ++at_;
      while (continues_name(look())) ++at_;
      return token(name ? PtxTokenKind::name : PtxTokenKind::dotted, begin, name ? 0 : 1);
    }
    ++at_;
    return token(PtxTokenKind::punctuation, begin);
  }
  /// Digits with what may follow them: 0x1f, 0f3f800000, 1.5e-3, 12U.
  PtxToken number() {
    const std::size_t begin = at_;
    const bool bits = look() == '0' && continues_name(look(1)) && !is_digit(look(1));
    while (continues_name(look()) || (!bits && look() == '.' && is_digit(look(1))) ||
           (!bits && (look() == '+' || look() == '-') && exponent_before(begin))) {
      ++at_;
    }
    if (!bits && look() == '.' && !is_letter(look(1))) ++at_;  // 1.
    return token(PtxTokenKind::number, begin);
  }
  [[nodiscard]] bool exponent_before(std::size_t begin) const {
    const char before = text_[at_ - 1];
    return at_ > begin && (before == 'e' || before == 'E') && is_digit(look(1));
  }
  PtxToken string() {
    const std::size_t begin = at_++;
    while (look() != '"' && look() != '\n' && at_ < text_.size())
      at_ += look() == '\\' && at_ + 1 < text_.size() ? 2 : 1;
    if (at_ > text_.size()) at_ = text_.size();
    PtxToken result{PtxTokenKind::string, text_.substr(begin + 1, at_ - begin - 1), place(begin, at_ - begin)};
    if (look() == '"') {
      ++at_;
    } else {
      mistakes_.push_back({result.place, "PTX-SYNTAX", "the string that begins here does not end", "add a quote"});
    }
    return result;
  }

  std::string_view text_;
  std::vector<PtxMistake>& mistakes_;
  std::size_t at_ = 0, line_begin_ = 0, token_begin_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::vector<PtxToken> tokens_of(std::string_view text, std::vector<PtxMistake>& mistakes) {
  return Lexer(text, mistakes).run();
}

}  // namespace teslasim::ptx
