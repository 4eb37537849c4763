// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/expansion.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/text/expression.h"
#include "frontend/text/mnemonics.h"

namespace teslasim::text {
namespace {

constexpr unsigned deepest_expansion = 64;
constexpr std::int64_t most_repetitions = std::int64_t{1} << 18;

/// `a, f(b, c), {d, e}` split at the commas outside of brackets, trimmed.
std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> arguments;
  std::string current;
  int depth = 0;
  const auto finish = [&] {
    const std::size_t first = current.find_first_not_of(" \t");
    arguments.push_back(first == std::string::npos
                            ? std::string()
                            : current.substr(first, current.find_last_not_of(" \t") - first + 1));
    current.clear();
  };
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth <= 0)
      finish();
    else
      current += c;
  }
  finish();
  if (arguments.size() == 1 && arguments[0].empty()) arguments.clear();
  return arguments;
}

}  // namespace

std::string_view directive_of(const SourceLine& line) {
  Cursor cursor(line.text);
  if (cursor.peek() != '.') return {};
  const std::size_t start = cursor.position();
  cursor.advance();
  const std::size_t length = cursor.take_word().size();
  return std::string_view(line.text).substr(start, length + 1);
}

std::size_t Expander::close_of(const SourceLines& lines, std::size_t start, const Expansion* expansion,
                               std::string_view open, std::string_view close) {
  const LineReference where{lines[start], expansion};
  unsigned depth = 0;
  for (std::size_t i = start; i < lines.size(); ++i) {
    const std::string_view word = directive_of(*lines[i]);
    if (word == open) ++depth;
    if (word != close || --depth != 0) continue;
    builder_.count_lines(where, i - start);
    return i;
  }
  builder_.report({"ASM-DIRECTIVE", fmt::format("{} without {}", open, close),
                   fmt::format("close it with a line '{}'", close), 0, 1},
                  where);
  return lines.size();
}

std::size_t Expander::process_repeat(const SourceLines& lines, std::size_t start, const Expansion* expansion) {
  const std::size_t end = close_of(lines, start, expansion, ".rept", ".endr");
  if (end == lines.size()) return end;
  const SourceLines body(lines.begin() + static_cast<std::ptrdiff_t>(start) + 1,
                         lines.begin() + static_cast<std::ptrdiff_t>(end));
  try {
    repeat(*lines[start], body, expansion);
  } catch (const TextError& error) {
    builder_.report(error, {lines[start], expansion});
  }
  return end;
}

void Expander::repeat(const SourceLine& head, const SourceLines& body, const Expansion* expansion) {
  Cursor cursor(head.text);
  (void)cursor.accept(".rept");
  Symbols& symbols = builder_.symbols();
  const Value count = parse_expression(cursor, symbols);
  const std::int64_t repetitions = checked(count, 0, most_repetitions, "the repetition count");
  std::string counter;
  if (cursor.accept(",")) counter = cursor.expect_name("the name of the counter");
  cursor.expect_end();
  if (++depth_ > deepest_expansion) fail("ASM-MACRO", {}, "expansions are nested too deeply");
  symbols.enter_repeat();
  for (std::int64_t n = 0; n < repetitions; ++n) {
    expansions_.push_back(
        {Expansion::Kind::repeat, "", head.number, head.number, static_cast<std::uint64_t>(n), expansion});
    const Expansion* here = &expansions_.back();
    if (!counter.empty()) symbols.define_counter(counter, n);
    const SourceLines lines = repetition(body, here, counter, n);
    const std::uint64_t mistakes = builder_.mistakes();
    builder_.count_lines({&head, expansion});
    process_(lines, here);
    if (builder_.mistakes() != mistakes) {  // the others have the same mistakes
      if (KernelBuilder* kernel = builder_.unfinished_kernel()) kernel->mark_cut_short();
      break;
    }
  }
  symbols.leave_repeat();
  --depth_;
}

SourceLines Expander::repetition(const SourceLines& body, const Expansion* here, const std::string& counter,
                                 std::int64_t n) {
  SourceLines lines;
  unsigned nested = 0;
  for (const SourceLine* line : body) {
    const std::string_view word = directive_of(*line);
    Arguments arguments;
    if (!counter.empty()) arguments.emplace_back(counter, std::to_string(n));
    const bool own = nested == 0;
    if (word == ".rept") ++nested;
    if (word == ".endr" && nested > 0) --nested;
    if (own) arguments.emplace_back("+", std::to_string(n));
    lines.push_back(substituted({line, here}, arguments));
  }
  return lines;
}

const SourceLine* Expander::substituted(LineReference where, const Arguments& arguments) {
  const SourceLine& line = *where.line;
  if (line.text.find('\\') == std::string::npos) return &line;
  lines_.push_back({substitute(line.text, arguments), line.number, true});
  builder_.count_characters(where, lines_.back().text.size());
  return &lines_.back();
}

std::size_t Expander::define_macro(const SourceLines& lines, std::size_t start, const Expansion* expansion) {
  const std::size_t end = close_of(lines, start, expansion, ".macro", ".endm");
  if (end == lines.size()) return end;
  try {
    auto [name, macro] = read_macro_head(*lines[start]);
    macro.body.assign(lines.begin() + static_cast<std::ptrdiff_t>(start) + 1,
                      lines.begin() + static_cast<std::ptrdiff_t>(end));
    for (const SourceLine* line : macro.body) {
      if (directive_of(*line) == ".macro") fail("ASM-MACRO", {}, "a macro cannot define another macro");
    }
    macros_.insert_or_assign(name, std::move(macro));
  } catch (const TextError& error) {
    builder_.report(error, {lines[start], expansion});
  }
  return end;
}

std::pair<std::string, Expander::Macro> Expander::read_macro_head(const SourceLine& head) const {
  Cursor cursor(head.text);
  (void)cursor.accept(".macro");
  cursor.skip_space();
  const std::size_t start = cursor.position();
  const std::string name(cursor.expect_name("the name of the macro"));
  const Span span = cursor.span_from(start);
  if (find_mnemonic(name) != nullptr || name == "d")
    fail("ASM-MACRO", span, fmt::format("'{}' is an instruction and cannot be a macro", name), "choose another name");
  if (const auto known = macros_.find(name); known != macros_.end())
    fail("ASM-MACRO", span, fmt::format("macro '{}' is defined twice", name),
         fmt::format("the first definition is in line {}", known->second.line));
  Macro macro;
  macro.line = head.number;
  if (cursor.at_end()) return {name, macro};
  do {
    macro.parameters.emplace_back(cursor.expect_name("the name of an argument"));
  } while (cursor.accept(","));
  cursor.expect_end();
  return {name, macro};
}

bool Expander::expand_macro(Cursor& cursor, LineReference where) {
  const std::size_t start = cursor.position();
  const std::string_view word = cursor.take_word();
  const auto found = macros_.find(word);
  if (found == macros_.end() || cursor.look() == '.') {
    cursor.rewind(start);
    return false;
  }
  const Macro& macro = found->second;
  const Span span = cursor.span_from(start);
  const std::vector<std::string> values = split_arguments(cursor.text().substr(cursor.position()));
  if (values.size() != macro.parameters.size())
    fail("ASM-MACRO", span,
         fmt::format("macro '{}' has {} arguments here, expected {}", word, values.size(), macro.parameters.size()),
         fmt::format("it is defined in line {}", macro.line));
  if (depth_ >= deepest_expansion)
    fail("ASM-MACRO", span, fmt::format("macro '{}' is nested too deeply", word), "does it use itself?");
  ++depth_;
  Arguments arguments;
  for (std::size_t i = 0; i < values.size(); ++i) arguments.emplace_back(macro.parameters[i], values[i]);
  arguments.emplace_back("@", std::to_string(macro_uses_++));
  expansions_.push_back(
      {Expansion::Kind::macro, std::string(word), macro.line, where.line->number, 0, where.expansion});
  const Expansion* here = &expansions_.back();
  SourceLines lines;
  for (const SourceLine* line : macro.body) lines.push_back(substituted({line, here}, arguments));
  process_(lines, here);
  --depth_;
  return true;
}

}  // namespace teslasim::text
