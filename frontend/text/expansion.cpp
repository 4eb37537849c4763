// SPDX-License-Identifier: Apache-2.0
// .rept and .macro.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/text/assembly.h"
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

std::string_view Assembly::directive_of(const SourceLine& line) {
  Cursor cursor(line.text);
  if (cursor.peek() != '.') return {};
  const std::size_t start = cursor.position();
  cursor.advance();
  const std::size_t length = cursor.take_word().size();
  return std::string_view(line.text).substr(start, length + 1);
}

std::size_t Assembly::find_end(const Lines& lines, std::size_t start, std::string_view open, std::string_view close) {
  unsigned depth = 0;
  for (std::size_t i = start; i < lines.size(); ++i) {
    const std::string_view word = directive_of(*lines[i]);
    if (word == open) ++depth;
    if (word == close && --depth == 0) return i;
  }
  return lines.size();
}

std::size_t Assembly::process_repeat(const Lines& lines, std::size_t start, const Expansion* expansion) {
  const LineReference where{lines[start], expansion};
  const std::size_t end = find_end(lines, start, ".rept", ".endr");
  if (end == lines.size()) {
    report({"ASM-DIRECTIVE", ".rept without .endr", "close it with a line '.endr'", 0, 1}, where);
    return end;
  }
  count_lines(where, end - start);
  const Lines body(lines.begin() + static_cast<std::ptrdiff_t>(start) + 1,
                   lines.begin() + static_cast<std::ptrdiff_t>(end));
  try {
    repeat(*lines[start], body, expansion);
  } catch (const TextError& error) {
    report(error, where);
  }
  return end;
}

void Assembly::repeat(const SourceLine& head, const Lines& body, const Expansion* expansion) {
  Cursor cursor(head.text);
  (void)cursor.accept(".rept");
  const Value count = parse_expression(cursor, symbols_);
  const std::int64_t repetitions = checked(count, 0, most_repetitions, "the repetition count");
  std::string counter;
  if (cursor.accept(",")) counter = cursor.expect_name("the name of the counter");
  cursor.expect_end();
  if (++depth_ > deepest_expansion) fail("ASM-MACRO", {}, "expansions are nested too deeply");
  symbols_.enter_repeat();
  for (std::int64_t n = 0; n < repetitions; ++n) {
    expansions_.push_back(
        {Expansion::Kind::repeat, "", head.number, head.number, static_cast<std::uint64_t>(n), expansion});
    const Expansion* here = &expansions_.back();
    if (!counter.empty()) symbols_.define_counter(counter, n);
    Lines lines;
    unsigned nested = 0;
    for (const SourceLine* line : body) {
      const std::string_view word = directive_of(*line);
      std::vector<std::pair<std::string, std::string>> arguments;
      if (!counter.empty()) arguments.emplace_back(counter, std::to_string(n));
      const bool own = nested == 0;
      if (word == ".rept") ++nested;
      if (word == ".endr" && nested > 0) --nested;
      if (own) arguments.emplace_back("+", std::to_string(n));
      lines.push_back(substituted({line, here}, arguments));
    }
    const std::uint64_t mistakes = mistakes_;
    count_lines({&head, expansion});
    process(lines, here);
    if (mistakes_ != mistakes) {  // the others have the same mistakes
      if (kernel_) kernel_->mark_cut_short();
      break;
    }
  }
  symbols_.leave_repeat();
  --depth_;
}

const SourceLine* Assembly::substituted(LineReference where,
                                        const std::vector<std::pair<std::string, std::string>>& arguments) {
  const SourceLine& line = *where.line;
  if (line.text.find('\\') == std::string::npos) return &line;
  lines_.push_back({substitute(line.text, arguments), line.number, true});
  expanded_characters_ += lines_.back().text.size();
  if (expanded_characters_ > limits_.characters)
    give_up(fmt::format("the text expands to more than {} characters", limits_.characters), where);
  return &lines_.back();
}

std::size_t Assembly::define_macro(const Lines& lines, std::size_t start, const Expansion* expansion) {
  const LineReference where{lines[start], expansion};
  const std::size_t end = find_end(lines, start, ".macro", ".endm");
  if (end == lines.size()) {
    report({"ASM-DIRECTIVE", ".macro without .endm", "close it with a line '.endm'", 0, 1}, where);
    return end;
  }
  count_lines(where, end - start);
  try {
    std::string name;
    Macro macro;
    macro.body.assign(lines.begin() + static_cast<std::ptrdiff_t>(start) + 1,
                      lines.begin() + static_cast<std::ptrdiff_t>(end));
    macro.line = lines[start]->number;
    read_macro_head(*lines[start], name, macro);
    for (const SourceLine* line : macro.body) {
      if (directive_of(*line) == ".macro") fail("ASM-MACRO", {}, "a macro cannot define another macro");
    }
    macros_.insert_or_assign(name, std::move(macro));
  } catch (const TextError& error) {
    report(error, where);
  }
  return end;
}

void Assembly::read_macro_head(const SourceLine& head, std::string& name, Macro& macro) const {
  Cursor cursor(head.text);
  (void)cursor.accept(".macro");
  cursor.skip_space();
  const std::size_t start = cursor.position();
  name = cursor.expect_name("the name of the macro");
  const Span span = cursor.span_from(start);
  if (find_mnemonic(name) != nullptr || name == "d")
    fail("ASM-MACRO", span, fmt::format("'{}' is an instruction and cannot be a macro", name), "choose another name");
  if (macros_.contains(name))
    fail("ASM-MACRO", span, fmt::format("macro '{}' is defined twice", name),
         fmt::format("the first definition is in line {}", macros_.at(name).line));
  if (cursor.at_end()) return;
  do {
    macro.parameters.emplace_back(cursor.expect_name("the name of an argument"));
  } while (cursor.accept(","));
  cursor.expect_end();
}

bool Assembly::expand_macro(Cursor& cursor, LineReference where) {
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
  std::vector<std::pair<std::string, std::string>> arguments;
  for (std::size_t i = 0; i < values.size(); ++i) arguments.emplace_back(macro.parameters[i], values[i]);
  arguments.emplace_back("@", std::to_string(macro_uses_++));
  expansions_.push_back(
      {Expansion::Kind::macro, std::string(word), macro.line, where.line->number, 0, where.expansion});
  const Expansion* here = &expansions_.back();
  Lines lines;
  for (const SourceLine* line : macro.body) lines.push_back(substituted({line, here}, arguments));
  process(lines, here);
  --depth_;
  return true;
}

}  // namespace teslasim::text
