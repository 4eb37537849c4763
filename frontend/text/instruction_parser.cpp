// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/instruction_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/text/mnemonics.h"
#include "frontend/text/statement.h"
#include "isa/forms.h"
#include "isa/names.h"
#include "sim/base/diagnostic.h"

namespace teslasim::text {
namespace {

using Place = EncodingProblem::Place;
constexpr std::size_t most_operands = 8;

void parse_guard(Cursor& cursor, Statement& s) {
  const std::size_t start = cursor.position();
  if (!cursor.accept("@")) return;
  const bool inverted = cursor.accept("!");
  s.guard = parse_condition_operand(cursor);
  if (inverted) s.guard.condition = static_cast<std::uint8_t>(s.guard.condition ^ 15U);
  s.predicated = true;
  s.guard_where = cursor.span_from(start);
}

/// Suggestions for a word that is neither a type nor a modifier.
[[noreturn]] void unknown_suffix(const Statement& s, const Statement::Suffix& suffix) {
  std::vector<std::string> candidates;
  for (const ValueType type :
       {ValueType::u32, ValueType::s32, ValueType::f32, ValueType::b32, ValueType::u16, ValueType::s16, ValueType::b16,
        ValueType::u8, ValueType::s8, ValueType::f64, ValueType::b64, ValueType::b128})
    candidates.emplace_back(type_name(type));
  for (const std::string& word : modifier_words()) {
    const bool numbered =
        word.starts_with("quad") || (word.size() == 2 && word[0] == 'l' && word != "lo" && word != "le");
    if (!numbered) candidates.push_back(word);
  }
  const std::string near = nearest_word(std::string(suffix.word), candidates);
  fail("ASM-OPCODE", suffix.where, fmt::format("unknown modifier or type '.{}' after '{}'", suffix.word, s.base),
       near.empty() ? "" : fmt::format("did you mean '.{}'?", near));
}

void parse_suffixes(Cursor& cursor, Statement& s) {
  while (cursor.look() == '.') {
    const std::size_t start = cursor.position();
    cursor.advance();
    const std::string_view word = cursor.take_word();
    const Span where = cursor.span_from(start);
    if (word.empty()) fail("ASM-SYNTAX", where, "expected a modifier or a type after '.'");
    if (const auto type = parse_type(word))
      s.types.push_back({*type, where});
    else
      s.suffixes.push_back({word, where, false});
  }
  const auto& known = modifier_words();
  for (const Statement::Suffix& suffix : s.suffixes) {
    if (std::find(known.begin(), known.end(), suffix.word) == known.end()) unknown_suffix(s, suffix);
  }
}

const Mnemonic& parse_word(Cursor& cursor, Statement& s) {
  cursor.skip_space();
  const std::size_t start = cursor.position();
  s.base = cursor.take_word();
  s.base_where = cursor.span_from(start);
  if (s.base.empty()) fail("ASM-SYNTAX", cursor.here(), "expected an instruction, a directive or a label");
  if (const Mnemonic* found = find_mnemonic(s.base)) return *found;
  const std::string_view foreign = foreign_word_help(s.base);
  const std::string near = nearest_word(std::string(s.base), mnemonic_words());
  std::string help = foreign.empty() ? "" : std::string(foreign);
  if (help.empty() && !near.empty()) help = fmt::format("did you mean '{}'?", near);
  fail("ASM-OPCODE", s.base_where, fmt::format("unknown instruction '{}'", s.base), help);
}

void parse_general_operands(Cursor& cursor, const Symbols& symbols, Statement& s) {
  if (cursor.at_end()) return;
  const std::size_t start = cursor.position();
  s.flag_destination = parse_flag_destination(cursor);
  if (s.flag_destination >= 0) s.flag_where = cursor.span_from(start);
  do {
    if (s.operands.size() == most_operands) fail("ASM-OPERAND", cursor.here(), "too many operands");
    s.operands.push_back(parse_operand(cursor, symbols));
  } while (cursor.accept(","));
}

void parse_target(Cursor& cursor, const Symbols& symbols, Statement& s, std::uint32_t& address) {
  const char first = cursor.peek();
  const std::size_t start = cursor.position();
  constexpr std::int64_t last_address = 0xfffffc;
  if ((first >= '0' && first <= '9') || first == '(') {
    const Value value = parse_expression(cursor, symbols);
    address = static_cast<std::uint32_t>(checked(value, 0, last_address, "the target address"));
    if (address % 4 != 0) fail("ASM-ALIGN", value.where, "instruction addresses are multiples of 4");
  } else {
    s.target = cursor.expect_name("a label");
  }
  s.target_where = cursor.span_from(start);
}

void parse_vote_operands(Cursor& cursor, Statement& s) {
  cursor.skip_space();
  const std::size_t start = cursor.position();
  const ParsedCondition destination = parse_condition_operand(cursor);
  s.flag_destination = destination.flags;
  s.flag_where = cursor.span_from(start);
  if (destination.condition_given)
    fail("ASM-OPERAND", s.flag_where, "the result of 'vote' is a flag register without condition");
  cursor.expect(",", "the result of 'vote'");
  s.vote_input = parse_condition_operand(cursor);
  if (!s.vote_input.condition_given)
    fail("ASM-OPERAND", cursor.span_from(start), "'vote' needs a condition to vote on",
         "for example vote.any $p1, $p0.ne");
}

/// Guard, flag result and the modifiers that every instruction can have.
void apply_common(Statement& s, Instruction& i) {
  i.join = s.take("join");
  i.exit = s.take("end");
  if (i.join && i.exit) fail("ASM-OPERAND", s.base_where, "an instruction has .join or .end, not both");
  if (s.flag_destination >= 0) i.flag_destination = static_cast<std::int8_t>(s.flag_destination);
  if (!s.predicated) return;
  if (i.ignores_condition())
    fail("ASM-OPERAND", s.guard_where, fmt::format("'{}' ignores its predicate", s.base), "branch around it");
  i.condition = s.guard.condition;
  // `@$p0.tr` is written but guards nothing; the carry of addc lives in the same field.
  if (i.predicated()) i.guard_flags = s.guard.flags;
}

void choose_form(Statement& s, Instruction& i) {
  const bool half = s.take("half");
  if (half) {
    i.form = Form::short_form;
    i.bytes = 4;
    return;
  }
  if (is_control(i.opcode)) {
    i.form = Form::control_form;
    return;
  }
  const SourceFields& fields = form_row(i.opcode).immediate_form;
  for (std::size_t position = 0; position < fields.size(); ++position) {
    if (fields[position] == SourceField::number && i.source[position].kind == Operand::Kind::immediate)
      i.form = Form::immediate_form;
  }
}

void check_leftovers(const Statement& s) {
  for (const Statement::Suffix& suffix : s.suffixes) {
    if (!suffix.taken)
      fail("ASM-OPCODE", suffix.where, fmt::format("'{}' has no modifier '.{}' here", s.base, suffix.word));
  }
}

std::string_view code_of(EncodingProblem::Kind kind) {
  switch (kind) {
    case EncodingProblem::Kind::form:
      return "ASM-FORM";
    case EncodingProblem::Kind::type:
      return "ASM-TYPE";
    case EncodingProblem::Kind::register_number:
      return "ASM-REGISTER";
    case EncodingProblem::Kind::range:
      return "ASM-RANGE";
    default:
      return "ASM-OPERAND";
  }
}

void check_encoding(const Statement& s, const Instruction& i) {
  const auto problem = encoding_problem(i);
  if (!problem) return;
  const bool about_types = problem->kind == EncodingProblem::Kind::type && problem->place == Place::instruction;
  const bool about_guard =
      problem->kind == EncodingProblem::Kind::form && i.predicated() && problem->place == Place::instruction;
  Span where = s.place_of(problem->place);
  if (about_types) where = s.types_where();
  if (about_guard && s.predicated && has_form(i.opcode, i.form)) where = s.guard_where;
  fail(std::string(code_of(problem->kind)), where, problem->message, problem->help);
}

/// Short and immediate forms of addc always take their carry from $p0.
void check_carry(const Statement& s, const Instruction& i) {
  if (!i.reads_carry() || i.form == Form::long_form || i.guard_flags == 0) return;
  fail("ASM-FORM", s.base_where, "this form takes its carry from $p0", "use $p0, or the long form with registers");
}

void check_level(const Statement& s, const Instruction& i) {
  const std::uint8_t needed = required_sm(i);
  if (needed <= s.sm) return;
  fail("ISA-LEVEL", s.base_where,
       fmt::format("'{}' first appears in sm_{}; this file is for sm_{}", s.base, needed, s.sm),
       fmt::format("write '.arch sm_{}' before the first kernel", needed));
}

}  // namespace

ParsedInstruction parse_instruction(Cursor& cursor, const Symbols& symbols, std::uint8_t sm) {
  cursor.skip_space();
  const std::size_t start = cursor.position();
  ParsedInstruction result;
  Statement s;
  s.sm = sm;
  parse_guard(cursor, s);
  const Mnemonic& mnemonic = parse_word(cursor, s);
  parse_suffixes(cursor, s);
  std::uint32_t address = 0;
  switch (mnemonic.syntax) {
    case OperandSyntax::general:
      parse_general_operands(cursor, symbols, s);
      break;
    case OperandSyntax::branch_target:
      parse_target(cursor, symbols, s, address);
      break;
    case OperandSyntax::vote:
      parse_vote_operands(cursor, s);
      break;
  }
  cursor.expect_end();
  Instruction& i = result.instruction;
  i = mnemonic.build(s);
  if (has_target(i.opcode)) i.branch().target = address;
  apply_common(s, i);
  choose_form(s, i);
  check_leftovers(s);
  finish(i);
  check_encoding(s, i);
  check_carry(s, i);
  check_level(s, i);
  result.target = std::string(s.target);
  result.target_where = s.target_where;
  result.where = cursor.span_from(start);
  return result;
}

}  // namespace teslasim::text
