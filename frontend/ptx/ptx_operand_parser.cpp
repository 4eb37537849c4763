// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_operand_parser.h"

#include <string>
#include <string_view>
#include <utility>

#include "frontend/ptx/ptx_later_instructions.h"

namespace teslasim::ptx {
namespace {

/// What '(' begins: a list in calls, else a constant.
enum class Parentheses : std::uint8_t { constant, list };

PtxOperand parse_operand(PtxCursor& cursor, Parentheses parentheses = Parentheses::constant);

/// a, b, c up to `end`, which is taken.
std::vector<PtxOperand> parse_elements(PtxCursor& cursor, char end, std::string_view what) {
  std::vector<PtxOperand> elements;
  if (cursor.accept(end)) return elements;
  do {
    elements.push_back(parse_operand(cursor));
  } while (cursor.accept(','));
  cursor.expect(end, what);
  return elements;
}

/// + 4, - 4, +-4 behind a name; 0 when there is none.
PtxConstant parse_offset(PtxCursor& cursor) {
  if (cursor.is('-')) return cursor.expect_constant("an offset");
  if (!cursor.accept('+')) return {};
  return cursor.expect_constant("an offset");
}

void refuse_float(PtxCursor& cursor, const PtxOperand& operand) {
  if (operand.constant.kind != PtxConstant::Kind::integer)
    cursor.fail(operand.place, "PTX-NUMBER", "an offset must be a whole number of bytes");
}

/// Behind '[': [%r1+4], [array], [64], [texture, {%f1, %f2}].
PtxOperand parse_address(PtxCursor& cursor, PtxPlace place) {
  PtxOperand operand;
  operand.kind = PtxOperand::Kind::address;
  operand.place = place;
  if (cursor.peek().kind == PtxTokenKind::name) {
    operand.name = cursor.expect_name("a name");
    operand.constant = parse_offset(cursor);
  } else {
    operand.constant = cursor.expect_constant("an address");
  }
  refuse_float(cursor, operand);
  if (cursor.accept(',')) operand.elements.push_back(parse_operand(cursor));
  cursor.expect(']', "an address");
  return operand;
}

bool is_component(std::string_view word) {
  return word.size() == 1 && std::string_view("xyzwrgba").find(word.front()) != std::string_view::npos;
}

/// %r1, %tid.x, array + 4, p|q.
PtxOperand parse_name(PtxCursor& cursor) {
  PtxOperand operand;
  operand.place = cursor.peek().place;
  operand.negated = cursor.accept('!');
  operand.name = cursor.expect_name("an operand");
  const PtxToken& next = cursor.peek();
  if (next.kind == PtxTokenKind::dotted && next.glued && is_component(next.text))
    operand.component = cursor.take().text.front();
  operand.constant = parse_offset(cursor);
  refuse_float(cursor, operand);
  if (!cursor.accept('|')) return operand;
  PtxOperand pair;
  pair.kind = PtxOperand::Kind::pair;
  pair.place = operand.place;
  pair.elements.push_back(std::move(operand));
  pair.elements.push_back(parse_name(cursor));
  return pair;
}

PtxOperand parse_operand(PtxCursor& cursor, Parentheses parentheses) {
  const PtxPlace place = cursor.peek().place;
  cursor.enter();
  PtxOperand operand;
  operand.place = place;
  if (cursor.accept('[')) {
    operand = parse_address(cursor, place);
  } else if (cursor.accept('{')) {
    operand.kind = PtxOperand::Kind::vector;
    operand.elements = parse_elements(cursor, '}', "a vector");
  } else if (parentheses == Parentheses::list && cursor.accept('(')) {
    operand.kind = PtxOperand::Kind::list;
    operand.elements = parse_elements(cursor, ')', "a list");
  } else if (cursor.peek().kind == PtxTokenKind::name ||
             (cursor.is('!') && cursor.peek(1).kind == PtxTokenKind::name)) {
    operand = parse_name(cursor);
  } else {
    operand.kind = PtxOperand::Kind::constant;
    operand.constant = cursor.expect_constant("an operand");
  }
  cursor.leave();
  return operand;
}

/// .global; .const[2], but not the address in "ld.const [%r1]".
void parse_modifier(PtxCursor& cursor, PtxInstruction& instruction) {
  const PtxToken word = cursor.take();
  instruction.modifier_places.push_back(word.place);
  std::string& modifier = instruction.modifiers.emplace_back(word.text);
  if (modifier != "const" || !cursor.is('[') || !cursor.peek().glued) return;
  cursor.expect('[', "a state space");
  modifier += "[" + std::to_string(cursor.expect_whole("a bank", most_ptx_banks)) + "]";
  cursor.expect(']', "a bank");
}

}  // namespace

PtxInstruction parse_instruction(PtxCursor& cursor) {
  PtxInstruction instruction;
  if (cursor.accept('@')) {
    instruction.guard_negated = cursor.accept('!');
    instruction.guard_place = cursor.peek().place;
    instruction.guard = cursor.expect_name("a predicate");
  }
  instruction.place = cursor.peek().place;
  instruction.opcode = cursor.expect_name("an instruction");
  while (cursor.peek().kind == PtxTokenKind::dotted) parse_modifier(cursor, instruction);
  // Their operands have forms of their own.
  if (const auto later = later_instruction(instruction))
    cursor.fail(later->place, later->code, later->message, later->help);
  if (!cursor.is(';')) {
    const bool call = instruction.opcode == "call";
    do {
      instruction.operands.push_back(parse_operand(cursor, call ? Parentheses::list : Parentheses::constant));
    } while (cursor.accept(','));
  }
  cursor.expect(';', "an instruction");
  return instruction;
}

}  // namespace teslasim::ptx
