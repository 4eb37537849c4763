// SPDX-License-Identifier: Apache-2.0
// Sums and differences that hand a carry on: add.cc, addc, sub.cc, subc, mad.cc, madc. The carry is a word of the
// program, 0 or 1, and each sum one of 64 bits whose upper word is the carry.
#include <array>

#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;
using Op = IrOperation;

/// Upper words are 0.
IrPair of_words(const Translation& t, Op operation, const IrArgument& left, const IrArgument& right) {
  const IrArgument none = constant_argument(0);
  return t.ir.emit_pair(operation, {left, none, right, none});
}

/// The sum of a product and a third operand has its words there.
std::array<IrArgument, 2> operands_of(const Translation& t) {
  const IrArgument first = t.values.read(t.operand(1)), second = t.values.read(t.operand(2));
  const PtxOpcode opcode = t.form.opcode();
  if (opcode != PtxOpcode::multiply_add && opcode != PtxOpcode::multiply_add_with_carry) return {first, second};
  const ValueType type = is_signed_type(t.type()) ? ValueType::s32 : ValueType::u32;
  const IrArgument product = t.ir.emit(t.has("hi") ? Op::multiply_high : Op::multiply, {first, second}, type);
  return {product, t.values.read(t.operand(3))};
}

}  // namespace

bool hands_carry_on(const Translation& t) {
  const PtxOpcode opcode = t.form.opcode();
  return t.has("cc") || opcode == PtxOpcode::add_with_carry || opcode == PtxOpcode::subtract_with_borrow ||
         opcode == PtxOpcode::multiply_add_with_carry;
}

void translate_carry(const Translation& t) {
  const PtxOpcode opcode = t.form.opcode();
  const bool takes = opcode == PtxOpcode::add_with_carry || opcode == PtxOpcode::subtract_with_borrow ||
                     opcode == PtxOpcode::multiply_add_with_carry;
  const bool borrows = opcode == PtxOpcode::subtract || opcode == PtxOpcode::subtract_with_borrow;
  const Op operation = borrows ? Op::subtract_64 : Op::add_64;
  const auto [left, right] = operands_of(t);
  IrPair sum = of_words(t, operation, left, right);
  if (takes) {
    const IrPair first = sum;
    sum = of_words(t, operation, first.low, t.values.read_carry());
    // One of the two alone can overflow.
    sum.high = t.ir.emit(Op::bit_or, {first.high, sum.high});
  }
  if (t.has("cc")) t.values.write_carry(t.ir.bit_and(sum.high, 1));
  t.values.write(t.operand(0), sum.low);
}

}  // namespace teslasim::compiler
