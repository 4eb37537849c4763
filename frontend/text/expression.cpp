// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/expression.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "sim/base/diagnostic.h"

namespace teslasim::text {
namespace {

constexpr unsigned deepest_nesting = 64;

struct Operator {
  std::string_view token;
  int precedence;
};
/// Longer tokens first.
constexpr std::array<Operator, 10> operators{
    {{"<<", 4}, {">>", 4}, {"|", 1}, {"^", 2}, {"&", 3}, {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6}, {"%", 6}}};

std::uint64_t bits(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}
std::int64_t wrapped(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

class ExpressionParser {
 public:
  ExpressionParser(Cursor& cursor, const Symbols& symbols) : cursor_(cursor), symbols_(symbols) {}

  Value parse() {
    cursor_.skip_space();
    const std::size_t start = cursor_.position();
    Value value = binary(0);
    value.where = cursor_.span_from(start);
    return value;
  }

 private:
  Value binary(int minimum) {
    Value left = unary();
    while (const Operator* found = next_operator()) {
      if (found->precedence <= minimum) return left;
      const std::size_t start = cursor_.position();
      cursor_.advance(found->token.size());
      const Span where = cursor_.span_from(start);
      const Value right = binary(found->precedence);
      left = apply(found->token, left, right, where);
    }
    return left;
  }

  const Operator* next_operator() {
    cursor_.skip_space();
    for (const Operator& candidate : operators) {
      const std::string_view rest = cursor_.text().substr(cursor_.position());
      if (!rest.starts_with(candidate.token)) continue;
      if (rest.starts_with("+=")) return nullptr;
      std::size_t after = candidate.token.size();
      while (after < rest.size() && (rest[after] == ' ' || rest[after] == '\t')) ++after;
      const bool register_follows = after < rest.size() && rest[after] == '$';
      const bool closes_absolute = candidate.token == "|" && (after >= rest.size() || rest[after] == ',');
      return register_follows || closes_absolute ? nullptr : &candidate;
    }
    return nullptr;
  }

  Value unary() {
    if (++depth_ > deepest_nesting) fail("ASM-SYNTAX", cursor_.here(), "the expression is nested too deeply");
    Value value;
    if (cursor_.accept("-")) {
      value = negated(unary());
    } else if (cursor_.accept("+")) {
      value = unary();
      value.plain_decimal = value.literal = false;
    } else if (cursor_.accept("~")) {
      value = unary();
      value.number = ~value.number;
      value.plain_decimal = value.literal = false;
      value.is_float = false;
    } else {
      value = primary();
    }
    --depth_;
    return value;
  }

  static Value negated(Value value) {
    if (value.is_float) {
      constexpr std::int64_t sign = 0x80000000;
      value.number ^= sign;
      value.real = -value.real;
      return value;
    }
    value.number = wrapped(0 - bits(value.number));
    return value;
  }

  Value primary() {
    const char first = cursor_.peek();
    if (cursor_.accept("(")) {
      Value value = binary(0);
      value.plain_decimal = value.literal = false;
      cursor_.expect(")", "the expression");
      return value;
    }
    if ((first >= '0' && first <= '9') || first == '.') return number();
    if (is_word_character(first)) return name();
    fail("ASM-SYNTAX", cursor_.here(),
         first == '\0' ? "expected a number, but the statement ends here" : "expected a number or a name");
  }

  Value name() {
    const std::size_t start = cursor_.position();
    const std::string_view word = cursor_.take_word();
    const auto found = symbols_.find(word);
    if (!found) {
      const std::string near = nearest_word(std::string(word), symbols_.names());
      fail("ASM-SYMBOL", cursor_.span_from(start), fmt::format("unknown name '{}'", word),
           near.empty() ? "define it first with .equ, .param, .shared or .const"
                        : fmt::format("did you mean '{}'?", near));
    }
    Value value;
    value.number = found->value;
    value.is_float = found->is_float;
    value.names_parameter = found->kind == Symbol::Kind::parameter;
    if (value.is_float) value.real = std::bit_cast<float>(static_cast<std::uint32_t>(found->value));
    return value;
  }

  Value number() {
    const std::size_t start = cursor_.position();
    std::string_view rest = cursor_.text().substr(start);
    if (rest.starts_with("0x") || rest.starts_with("0X")) return integer(start, 2, 16);
    if (rest.starts_with("0b") || rest.starts_with("0B")) return integer(start, 2, 2);
    std::size_t end = 0;
    while (end < rest.size() && ((rest[end] >= '0' && rest[end] <= '9') || rest[end] == '.')) ++end;
    if (end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) end = exponent_end(rest, end);
    const std::string_view digits = rest.substr(0, end);
    const bool suffix = end < rest.size() && rest[end] == 'f';
    if (!suffix && digits.find_first_of(".eE") == std::string_view::npos) return integer(start, 0, 10);
    return real(start, digits, suffix);
  }

  static std::size_t exponent_end(std::string_view rest, std::size_t at) {
    std::size_t end = at + 1;
    if (end < rest.size() && (rest[end] == '+' || rest[end] == '-')) ++end;
    const std::size_t first_digit = end;
    while (end < rest.size() && rest[end] >= '0' && rest[end] <= '9') ++end;
    return end == first_digit ? at : end;
  }

  Value real(std::size_t start, std::string_view digits, bool suffix) {
    const std::string text(digits);
    char* end = nullptr;
    const double parsed = std::strtod(text.c_str(), &end);
    cursor_.advance(digits.size() + (suffix ? 1 : 0));
    if (end != text.c_str() + text.size() || is_word_character(cursor_.look())) {
      (void)cursor_.take_word();
      fail("ASM-SYNTAX", cursor_.span_from(start), "this is not a number", "floats are written 1.5, 1.5f or 1e-3");
    }
    Value value;
    value.is_float = true;
    value.real = parsed;
    value.where = cursor_.span_from(start);
    const bool single = std::abs(parsed) <= static_cast<double>(std::numeric_limits<float>::max());
    if (!single && suffix) (void)single_bits(value);
    value.number = single ? std::bit_cast<std::uint32_t>(static_cast<float>(parsed)) : 0;
    return value;
  }

  Value integer(std::size_t start, std::size_t prefix, int base) {
    cursor_.advance(prefix);
    const std::string digits(cursor_.take_word());
    char* end = nullptr;
    errno = 0;
    const std::uint64_t parsed = std::strtoull(digits.c_str(), &end, base);
    if (digits.empty() || end != digits.c_str() + digits.size())
      fail("ASM-SYNTAX", cursor_.span_from(start), "this is not a number", "write 123, 0x7b, 0b1111011 or 1.5f");
    if (errno == ERANGE || parsed > static_cast<std::uint64_t>(INT64_MAX))
      fail("ASM-RANGE", cursor_.span_from(start), "the number does not fit into 63 bits");
    Value value;
    value.number = static_cast<std::int64_t>(parsed);
    value.plain_decimal = base == 10;
    value.literal = true;
    return value;
  }

  static Value apply(std::string_view token, const Value& left, const Value& right, Span where) {
    Value result;
    result.names_parameter = left.names_parameter || right.names_parameter;
    const std::int64_t a = left.number;
    const std::int64_t b = right.number;
    if (left.is_float || right.is_float)
      fail("ASM-SYNTAX", where, "floats cannot be calculated with", "define the result as a name of its own");
    switch (token.front()) {
      case '|':
        result.number = a | b;
        break;
      case '^':
        result.number = a ^ b;
        break;
      case '&':
        result.number = a & b;
        break;
      case '+':
        result.number = wrapped(bits(a) + bits(b));
        break;
      case '-':
        result.number = wrapped(bits(a) - bits(b));
        break;
      case '*':
        result.number = wrapped(bits(a) * bits(b));
        break;
      case '<':
      case '>':
        result.number = shifted(token, a, b, where);
        break;
      default:
        result.number = divided(token, a, b, where);
        break;
    }
    return result;
  }

  static std::int64_t shifted(std::string_view token, std::int64_t a, std::int64_t b, Span where) {
    if (b < 0 || b > 63) fail("ASM-RANGE", where, fmt::format("shift by {} is outside 0 to 63", b));
    return token == "<<" ? wrapped(bits(a) << b) : a >> b;
  }

  static std::int64_t divided(std::string_view token, std::int64_t a, std::int64_t b, Span where) {
    if (b == 0) fail("ASM-RANGE", where, "division by zero");
    if (b == -1) return token == "/" ? wrapped(0 - bits(a)) : 0;
    return token == "/" ? a / b : a % b;
  }

  Cursor& cursor_;
  const Symbols& symbols_;
  unsigned depth_ = 0;
};

}  // namespace

std::uint32_t single_bits(const Value& value) {
  if (std::abs(value.real) > static_cast<double>(std::numeric_limits<float>::max()))
    fail("ASM-RANGE", value.where, "the number is too large for an f32", "infinity is 0x7f800000");
  return static_cast<std::uint32_t>(value.number);
}

Value parse_expression(Cursor& cursor, const Symbols& symbols) {
  return ExpressionParser(cursor, symbols).parse();
}

std::int64_t checked(const Value& value, std::int64_t minimum, std::int64_t maximum, std::string_view what) {
  if (value.number >= minimum && value.number <= maximum && !value.is_float) return value.number;
  if (value.is_float) fail("ASM-RANGE", value.where, fmt::format("{} is a whole number", what));
  fail("ASM-RANGE", value.where, fmt::format("{} is {}, outside {} to {}", what, value.number, minimum, maximum));
}

}  // namespace teslasim::text
