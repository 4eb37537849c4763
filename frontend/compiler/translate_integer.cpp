// SPDX-License-Identifier: Apache-2.0
// Integers of up to 32 bits. Registers of 8 and 16 bits have anything above their bits.
#include <utility>

#include "frontend/compiler/routines.h"
#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;
using Op = IrOperation;

IrArgument typed(const Translation& t, Op operation, const IrArgument& left, const IrArgument& right) {
  return t.ir.emit(operation, {left, right}, word_type(t.type()));
}

IrArgument low_half(IrArgument argument) {
  if (argument.is_constant()) return constant_argument(argument.constant & 0xffffU);
  argument.half = Operand::Half::low;
  return argument;
}

/// 16-bit products are 32 bits wide; `wide` and the lower half come from the same instruction.
IrArgument multiply_16(const Translation& t) {
  const IrArgument left = low_half(t.values.read(t.operand(1))), right = low_half(t.values.read(t.operand(2)));
  const IrArgument product = typed(t, Op::multiply_16, left, right);
  return t.has("hi") ? t.ir.shift_right(product, 16, word_type(t.type())) : product;
}

IrPair multiply_wide(const Translation& t) {
  const IrArgument left = t.values.read(t.operand(1)), right = t.values.read(t.operand(2));
  return {t.ir.emit(Op::multiply, {left, right}), typed(t, Op::multiply_high, left, right)};
}

void multiply(const Translation& t) {
  if (bits_of(t.type()) == 16) return t.values.write(t.operand(0), multiply_16(t));
  if (t.has("wide")) return t.values.write_pair(t.operand(0), multiply_wide(t));
  const Op operation = t.has("hi") ? Op::multiply_high : Op::multiply;
  t.values.write(t.operand(0), typed(t, operation, t.values.read(t.operand(1)), t.values.read(t.operand(2))));
}

/// The sum with what was multiplied; with .sat it stops at the ends of s32.
IrArgument product_sum(const Translation& t, const IrArgument& product) {
  IrNode node;
  node.operation = Op::add;
  node.saturate = t.has("sat");
  node.type = node.saturate ? ValueType::s32 : ValueType::b32;
  node.arguments = {product, t.values.read(t.operand(3))};
  return t.ir.add_node(std::move(node));
}

void multiply_add(const Translation& t) {
  if (bits_of(t.type()) == 16) {
    const IrArgument product = multiply_16(t);
    return t.values.write(t.operand(0), t.ir.add(product, t.values.read(t.operand(3))));
  }
  if (t.has("wide")) {
    const IrPair product = multiply_wide(t), third = t.values.read_pair(t.operand(3));
    return t.values.write_pair(t.operand(0),
                               t.ir.emit_pair(Op::add_64, {product.low, product.high, third.low, third.high}));
  }
  const Op operation = t.has("hi") ? Op::multiply_high : Op::multiply;
  const IrArgument product = typed(t, operation, t.values.read(t.operand(1)), t.values.read(t.operand(2)));
  t.values.write(t.operand(0), product_sum(t, product));
}

void product_24(const Translation& t, bool with_sum) {
  const bool apart = t.has("sat");
  IrNode node;
  node.operation = with_sum && !apart ? Op::multiply_add_24 : Op::multiply_24;
  node.type = word_type(t.type());
  node.high = t.has("hi");
  for (std::size_t i = 1; i < (with_sum && !apart ? 4U : 3U); ++i)
    node.arguments.push_back(t.values.read(t.operand(i)));
  const IrArgument value = t.ir.add_node(std::move(node));
  t.values.write(t.operand(0), apart ? product_sum(t, value) : value);
}

void divide(const Translation& t) {
  const bool remainder = t.form.opcode() == PtxOpcode::remainder;
  const std::string name =
      std::string(remainder ? "remainder_" : "quotient_") + (is_signed_type(t.type()) ? "s32" : "u32");
  const IrArgument left = t.values.read_extended(t.operand(1), t.type());
  const IrArgument right = t.values.read_extended(t.operand(2), t.type());
  // A divisor that is a power of two needs no division.
  if (right.is_constant() && !is_signed_type(t.type()) && right.constant != 0 &&
      (right.constant & (right.constant - 1)) == 0) {
    unsigned shift = 0;
    while ((right.constant >> shift) != 1) ++shift;
    const IrArgument value = remainder ? t.ir.bit_and(left, right.constant - 1) : t.ir.shift_right(left, shift);
    return t.values.write(t.operand(0), value);
  }
  IrNode call;
  call.operation = Op::routine_call;
  call.number = routine_number(name);
  call.arguments = {left, right};
  t.values.write(t.operand(0), t.ir.add_node(std::move(call)));
}

void add(const Translation& t, Op operation) {
  IrNode node;
  node.operation = operation;
  node.saturate = t.has("sat");
  node.type = node.saturate ? ValueType::s32 : ValueType::b32;
  node.arguments = {t.values.read(t.operand(1)), t.values.read(t.operand(2))};
  t.values.write(t.operand(0), t.ir.add_node(std::move(node)));
}

void absolute(const Translation& t) {
  t.values.write(t.operand(0), t.ir.emit(Op::absolute, {t.values.read_extended(t.operand(1), t.type())}));
}

}  // namespace

void translate_integer(const Translation& t) {
  if (is_wide(t.type())) return translate_wide_integer(t);
  if (hands_carry_on(t)) return translate_carry(t);
  switch (t.form.opcode()) {
    case PtxOpcode::add:
      return add(t, Op::add);
    case PtxOpcode::subtract:
      return add(t, Op::subtract);
    case PtxOpcode::multiply:
      return multiply(t);
    case PtxOpcode::multiply_add:
      return multiply_add(t);
    case PtxOpcode::multiply_24:
      return product_24(t, false);
    case PtxOpcode::multiply_add_24:
      return product_24(t, true);
    case PtxOpcode::sum_of_differences: {
      const IrArgument left = t.values.read_extended(t.operand(1), t.type());
      const IrArgument right = t.values.read_extended(t.operand(2), t.type());
      const IrArgument sum =
          t.ir.emit(Op::sum_of_differences, {left, right, t.values.read(t.operand(3))}, word_type(t.type()));
      return t.values.write(t.operand(0), sum);
    }
    case PtxOpcode::divide:
    case PtxOpcode::remainder:
      return divide(t);
    case PtxOpcode::absolute:
      return absolute(t);
    case PtxOpcode::negate:
      return t.values.write(t.operand(0), t.ir.subtract(constant_argument(0), t.values.read(t.operand(1))));
    case PtxOpcode::minimum:
    case PtxOpcode::maximum: {
      const Op operation = t.form.opcode() == PtxOpcode::minimum ? Op::minimum : Op::maximum;
      const IrArgument left = t.values.read_extended(t.operand(1), t.type());
      const IrArgument right = t.values.read_extended(t.operand(2), t.type());
      return t.values.write(t.operand(0), typed(t, operation, left, right));
    }
    default:
      return t.unsupported("'" + t.instruction.opcode + "' is not supported");
  }
}

}  // namespace teslasim::compiler
