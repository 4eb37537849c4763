// SPDX-License-Identifier: Apache-2.0
// Logic, shifts, counting and moving of bits; truth values are all ones or 0, so their logic is the same.
#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;
using ptx::PtxType;
using Op = IrOperation;

Op logic_operation(PtxOpcode opcode) {
  return opcode == PtxOpcode::bit_and ? Op::bit_and : opcode == PtxOpcode::bit_or ? Op::bit_or : Op::bit_xor;
}

void logic(const Translation& t) {
  const Op operation = logic_operation(t.form.opcode());
  if (t.type() == PtxType::pred) {
    const IrArgument left = t.values.read_predicate(t.operand(1)), right = t.values.read_predicate(t.operand(2));
    return t.values.write(t.operand(0), t.ir.emit(operation, {left, right}));
  }
  const IrPair left = t.values.read_pair(t.operand(1)), right = t.values.read_pair(t.operand(2));
  const IrArgument low = t.ir.emit(operation, {left.low, right.low});
  if (!is_wide(t.type())) return t.values.write(t.operand(0), low);
  t.values.write_pair(t.operand(0), {low, t.ir.emit(operation, {left.high, right.high})});
}

void complement(const Translation& t) {
  if (t.type() == PtxType::pred)
    return t.values.write(t.operand(0), t.ir.emit(Op::bit_not, {t.values.read_predicate(t.operand(1))}));
  const IrPair value = t.values.read_pair(t.operand(1));
  const IrArgument low = t.ir.emit(Op::bit_not, {value.low});
  if (!is_wide(t.type())) return t.values.write(t.operand(0), low);
  t.values.write_pair(t.operand(0), {low, t.ir.emit(Op::bit_not, {value.high})});
}

/// 1 where the value is 0.
void logical_not(const Translation& t) {
  const IrPair value = t.values.read_pair(t.operand(1));
  IrArgument word = t.values.extend(value.low, t.type());
  if (is_wide(t.type())) word = t.ir.emit(Op::bit_or, {value.low, value.high});
  const IrArgument zero = t.ir.bit_and(t.ir.compare(Relations::equal, word, constant_argument(0), ValueType::u32), 1);
  if (!is_wide(t.type())) return t.values.write(t.operand(0), zero);
  t.values.write_pair(t.operand(0), {zero, constant_argument(0)});
}

void shift(const Translation& t) {
  const bool left = t.form.opcode() == PtxOpcode::shift_left;
  const IrArgument count = t.values.read(t.operand(2));
  if (is_wide(t.type())) {
    const IrPair value = t.values.read_pair(t.operand(1));
    const ValueType type = is_signed_type(t.type()) ? ValueType::s64 : ValueType::u64;
    return t.values.write_pair(t.operand(0), t.ir.emit_pair(left ? Op::shift_left_64 : Op::shift_right_64,
                                                            {value.low, value.high, count}, type));
  }
  const IrArgument value = left ? t.values.read(t.operand(1)) : t.values.read_extended(t.operand(1), t.type());
  t.values.write(t.operand(0), t.ir.emit(left ? Op::shift_left : Op::shift_right, {value, count},
                                         left ? ValueType::b32 : word_type(t.type())));
}

/// Counting and fields: functions of the runtime library, named by instruction and width.
void called(const Translation& t) {
  const bool wide = is_wide(t.type());
  std::string name = t.instruction.opcode + (wide ? "_64" : "_32");
  if (t.form.opcode() == PtxOpcode::bit_field_extract || t.form.opcode() == PtxOpcode::find_leading_bit)
    name += is_signed_type(t.type()) ? "_s" : "_u";
  if (t.has("shiftamt")) name += "_shift";
  std::vector<IrArgument> arguments;
  for (std::size_t i = 1; i < t.instruction.operands.size(); ++i) {
    const IrPair value = t.values.read_pair(t.operand(i));
    arguments.push_back(value.low);
    const bool count = (t.form.opcode() == PtxOpcode::bit_field_extract && i >= 2) ||
                       (t.form.opcode() == PtxOpcode::bit_field_insert && i >= 3);
    if (wide && !count) arguments.push_back(value.high);
  }
  const auto words = t.runtime.call(name, arguments);
  if (words.size() == 1) return t.values.write(t.operand(0), words[0]);
  t.values.write_pair(t.operand(0), {words[0], words[1]});
}

/// prmt with a constant choice: bytes of two words, each perhaps with its sign in all bits.
void permute(const Translation& t) {
  const IrArgument low = t.values.read(t.operand(1)), high = t.values.read(t.operand(2));
  const IrArgument choice = t.values.read(t.operand(3));
  if (!choice.is_constant()) return t.unsupported("prmt with a choice that is no constant is not supported");
  IrArgument sum = constant_argument(0);
  for (unsigned byte = 0; byte < 4; ++byte) {
    const unsigned selector = choice.constant >> (4 * byte) & 0xfU;
    const IrArgument& word = (selector & 4U) != 0 ? high : low;
    IrArgument value = t.ir.shift_right(word, 8 * (selector & 3U));
    value = (selector & 8U) != 0 ? t.ir.sign_of(t.ir.shift_left(value, 24)) : value;
    value = t.ir.shift_left(t.ir.bit_and(value, 0xff), 8 * byte);
    sum = t.ir.emit(Op::bit_or, {sum, value});
  }
  t.values.write(t.operand(0), sum);
}

}  // namespace

void translate_bits(const Translation& t) {
  switch (t.form.opcode()) {
    case PtxOpcode::bit_and:
    case PtxOpcode::bit_or:
    case PtxOpcode::bit_xor:
      return logic(t);
    case PtxOpcode::bit_not:
      return complement(t);
    case PtxOpcode::logical_not:
      return logical_not(t);
    case PtxOpcode::shift_left:
    case PtxOpcode::shift_right:
      return shift(t);
    case PtxOpcode::permute:
      return permute(t);
    default:
      return called(t);
  }
}

}  // namespace teslasim::compiler
