// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_cursor.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace teslasim::ptx {
namespace {

std::string shown(const PtxToken& token) {
  if (token.kind == PtxTokenKind::end) return "the end of the file";
  if (token.kind == PtxTokenKind::dotted) return "'." + std::string(token.text) + "'";
  if (token.kind == PtxTokenKind::string) return "a string";
  return "'" + std::string(token.text) + "'";
}

/// The digits of one base; nothing when they are none, or too many.
std::optional<std::uint64_t> digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> integer(std::string_view text) {
  if (text.ends_with('U') || text.ends_with('u')) text.remove_suffix(1);
  const auto prefixed = [&text](char small, char large) {
    return text.size() > 2 && text[0] == '0' && (text[1] == small || text[1] == large);
  };
  if (prefixed('x', 'X')) return digits(text.substr(2), 16);
  if (prefixed('b', 'B')) return digits(text.substr(2), 2);
  if (text.size() > 1 && text[0] == '0') return digits(text.substr(1), 8);
  return digits(text, 10);
}

struct BinaryOperator {
  std::string_view text;
  unsigned strength;
};
/// The longer ones first. As in C, without the logical ones.
constexpr std::array<BinaryOperator, 10> operators{
    {{"<<", 4}, {">>", 4}, {"*", 6}, {"/", 6}, {"%", 6}, {"+", 5}, {"-", 5}, {"&", 3}, {"^", 2}, {"|", 1}}};

}  // namespace

const PtxToken& PtxCursor::take() {
  const PtxToken& token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool PtxCursor::is(char punctuation, std::size_t ahead) const {
  const PtxToken& token = peek(ahead);
  return token.kind == PtxTokenKind::punctuation && token.text.front() == punctuation;
}

bool PtxCursor::is_dotted(std::string_view word) const {
  return peek().kind == PtxTokenKind::dotted && peek().text == word;
}

bool PtxCursor::accept(char punctuation) {
  if (!is(punctuation)) return false;
  take();
  return true;
}

bool PtxCursor::accept_dotted(std::string_view word) {
  if (!is_dotted(word)) return false;
  take();
  return true;
}

void PtxCursor::note(const PtxPlace& place, std::string code, std::string message, std::string help) {
  mistakes_.push_back({place, std::move(code), std::move(message), std::move(help)});
}

void PtxCursor::fail(const PtxPlace& place, std::string code, std::string message, std::string help) {
  note(place, std::move(code), std::move(message), std::move(help));
  throw PtxStatementError{};
}

void PtxCursor::expect(char punctuation, std::string_view after) {
  if (accept(punctuation)) return;
  fail(peek().place, "PTX-SYNTAX",
       std::string("expected '") + punctuation + "' after " + std::string(after) + ", not " + shown(peek()));
}

std::string PtxCursor::expect_name(std::string_view what) {
  if (peek().kind != PtxTokenKind::name)
    fail(peek().place, "PTX-SYNTAX", "expected " + std::string(what) + ", not " + shown(peek()));
  return std::string(take().text);
}

std::string PtxCursor::expect_string(std::string_view what) {
  if (peek().kind != PtxTokenKind::string)
    fail(peek().place, "PTX-SYNTAX", "expected " + std::string(what) + ", not " + shown(peek()));
  return std::string(take().text);
}

PtxConstant PtxCursor::number(const PtxToken& token) {
  const std::string text(token.text);
  const bool bits = text.size() > 2 && text[0] == '0';
  if (bits && (text[1] == 'f' || text[1] == 'F') && text.size() == 10) {
    if (const auto value = digits(std::string_view(text).substr(2), 16)) return {PtxConstant::Kind::f32, *value};
  }
  if (bits && (text[1] == 'd' || text[1] == 'D') && text.size() == 18) {
    if (const auto value = digits(std::string_view(text).substr(2), 16)) return {PtxConstant::Kind::f64, *value};
  }
  if (const auto value = integer(text)) return {PtxConstant::Kind::integer, *value};
  if (text.find_first_of(".eE") != std::string::npos &&
      text.find_first_not_of("0123456789.eE+-") == std::string::npos) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end == 0 && std::isfinite(value)) return {PtxConstant::Kind::f64, std::bit_cast<std::uint64_t>(value)};
  }
  fail(token.place, "PTX-NUMBER", "'" + text + "' is no number of 64 bits",
       "0f and 8 hexadecimal digits, 0d and 16, 0x, 0b, or decimal digits");
}

PtxConstant PtxCursor::expect_constant(std::string_view what) {
  const bool negative = is('-') && peek(1).kind == PtxTokenKind::number;
  const PtxToken& first = peek(negative ? 1 : 0);
  if (first.kind == PtxTokenKind::number) {
    PtxConstant value = number(first);
    if (value.kind != PtxConstant::Kind::integer) {
      if (negative) take();
      take();
      const std::uint64_t sign = value.kind == PtxConstant::Kind::f32 ? 0x80000000ULL : 1ULL << 63U;
      if (negative) value.bits ^= sign;
      return value;
    }
  } else if (!is('-') && !is('+') && !is('~') && !is('!') && !is('(')) {
    fail(peek().place, "PTX-SYNTAX", "expected " + std::string(what) + ", not " + shown(peek()));
  }
  return {PtxConstant::Kind::integer, binary(1)};
}

std::uint64_t PtxCursor::expect_whole(std::string_view what, std::uint64_t most) {
  const PtxPlace place = peek().place;
  const PtxConstant value = expect_constant(what);
  if (value.kind == PtxConstant::Kind::integer && value.bits <= most) return value.bits;
  fail(place, "PTX-NUMBER", std::string(what) + " must be a whole number from 0 to " + std::to_string(most));
}

unsigned PtxCursor::operator_length(unsigned& strength) const {
  for (const BinaryOperator& candidate : operators) {
    bool fits = true;
    for (std::size_t i = 0; i < candidate.text.size(); ++i)
      fits = fits && is(candidate.text[i], i) && (i == 0 || peek(i).glued);
    if (!fits) continue;
    strength = candidate.strength;
    return static_cast<unsigned>(candidate.text.size());
  }
  return 0;
}

std::uint64_t PtxCursor::apply(std::string_view operation, std::uint64_t left, std::uint64_t right,
                               const PtxPlace& place) {
  const char sign = operation.front();
  if ((sign == '/' || sign == '%') && right == 0) fail(place, "PTX-NUMBER", "division by 0 in a constant");
  switch (sign) {
    case '<':
      return right < 64 ? left << right : 0;
    case '>':
      return right < 64 ? left >> right : 0;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '&':
      return left & right;
    case '^':
      return left ^ right;
    default:
      return left | right;
  }
}

/// Operators that bind at least as strongly as `least`; 64 bits, wrapping.
std::uint64_t PtxCursor::binary(unsigned least) {
  std::uint64_t left = unary();
  unsigned strength = 0;
  for (unsigned length = operator_length(strength); length != 0 && strength >= least;
       length = operator_length(strength)) {
    const PtxPlace place = peek().place;
    const std::string operation(peek().text);
    for (unsigned i = 0; i < length; ++i) take();
    left = apply(operation, left, binary(strength + 1), place);
  }
  return left;
}

std::uint64_t PtxCursor::unary() {
  enter();
  std::uint64_t value = 0;
  if (accept('-')) {
    value = 0 - unary();
  } else if (accept('+')) {
    value = unary();
  } else if (accept('~')) {
    value = ~unary();
  } else if (accept('!')) {
    value = unary() == 0 ? 1 : 0;
  } else if (accept('(')) {
    value = binary(1);
    expect(')', "an expression");
  } else {
    if (peek().kind != PtxTokenKind::number)
      fail(peek().place, "PTX-SYNTAX", "expected a number, not " + shown(peek()));
    const PtxConstant constant = number(peek());
    if (constant.kind != PtxConstant::Kind::integer)
      fail(peek().place, "PTX-NUMBER", "a float cannot be part of an expression");
    take();
    value = constant.bits;
  }
  leave();
  return value;
}

void PtxCursor::enter() {
  if (++depth_ > deepest_ptx) fail(peek().place, "PTX-DEPTH", "more than 64 levels of braces and parentheses");
}

void PtxCursor::skip_statement() {
  depth_ = 0;
  unsigned braces = 0;
  while (!at_end()) {
    if (is('{')) ++braces;
    if (is('}')) {
      if (braces == 0) return;
      --braces;
    }
    const bool ends = is(';') && braces == 0;
    take();
    if (ends) return;
  }
}

}  // namespace teslasim::ptx
