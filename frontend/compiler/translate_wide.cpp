// SPDX-License-Identifier: Apache-2.0
// Integers of 64 bits: two words.
#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;
using Op = IrOperation;

IrPair emit(const Translation& t, Op operation, const IrPair& left, const IrPair& right) {
  return t.ir.emit_pair(operation, {left.low, left.high, right.low, right.high});
}

IrPair product(const Translation& t, const IrPair& left, const IrPair& right) {
  const IrArgument low = t.ir.emit(Op::multiply, {left.low, right.low});
  const IrArgument carried = t.ir.emit(Op::multiply_high, {left.low, right.low}, ValueType::u32);
  const IrArgument first = t.ir.emit(Op::multiply, {left.low, right.high});
  const IrArgument second = t.ir.emit(Op::multiply, {left.high, right.low});
  return {low, t.ir.add(carried, t.ir.add(first, second))};
}

IrPair negate(const Translation& t, const IrPair& value) {
  return emit(t, Op::subtract_64, {constant_argument(0), constant_argument(0)}, value);
}

IrArgument less(const Translation& t, const IrPair& left, const IrPair& right) {
  IrNode node;
  node.operation = Op::compare_64;
  node.compare = Relations::less;
  node.type = is_signed_type(t.type()) ? ValueType::s64 : ValueType::u64;
  node.arguments = {left.low, left.high, right.low, right.high};
  return t.ir.add_node(std::move(node));
}

IrPair choose(const Translation& t, const IrArgument& condition, const IrPair& taken, const IrPair& other) {
  return {t.ir.select(condition, taken.low, other.low), t.ir.select(condition, taken.high, other.high)};
}

IrPair called(const Translation& t, const std::string& name, const IrPair& left, const IrPair& right) {
  const auto words = t.runtime.call(name, {left.low, left.high, right.low, right.high});
  return {words[0], words[1]};
}

IrPair upper_product(const Translation& t, const IrPair& left, const IrPair& right) {
  return called(t, is_signed_type(t.type()) ? "multiply_high_s64" : "multiply_high_u64", left, right);
}

IrPair divide(const Translation& t, const IrPair& left, const IrPair& right) {
  const bool remainder = t.form.opcode() == PtxOpcode::remainder;
  return called(t, std::string(remainder ? "remainder_" : "quotient_") + (is_signed_type(t.type()) ? "s64" : "u64"),
                left, right);
}

}  // namespace

void translate_wide_integer(const Translation& t) {
  const auto read = [&](std::size_t position) { return t.values.read_pair(t.operand(position)); };
  const auto write = [&](const IrPair& value) { t.values.write_pair(t.operand(0), value); };
  switch (t.form.opcode()) {
    case PtxOpcode::add:
      return write(emit(t, Op::add_64, read(1), read(2)));
    case PtxOpcode::subtract:
      return write(emit(t, Op::subtract_64, read(1), read(2)));
    case PtxOpcode::negate:
      return write(negate(t, read(1)));
    case PtxOpcode::multiply:
      return write(t.has("hi") ? upper_product(t, read(1), read(2)) : product(t, read(1), read(2)));
    case PtxOpcode::multiply_add: {
      const IrPair part = t.has("hi") ? upper_product(t, read(1), read(2)) : product(t, read(1), read(2));
      return write(emit(t, Op::add_64, part, read(3)));
    }
    case PtxOpcode::divide:
    case PtxOpcode::remainder:
      return write(divide(t, read(1), read(2)));
    case PtxOpcode::absolute: {
      const IrPair value = read(1);
      const IrArgument negative = t.ir.compare(Relations::less, value.high, constant_argument(0), ValueType::s32);
      return write(choose(t, negative, negate(t, value), value));
    }
    case PtxOpcode::minimum:
      return write(choose(t, less(t, read(1), read(2)), read(1), read(2)));
    case PtxOpcode::maximum:
      return write(choose(t, less(t, read(1), read(2)), read(2), read(1)));
    case PtxOpcode::sum_of_differences: {
      const IrArgument below = less(t, read(1), read(2));
      const IrPair difference =
          choose(t, below, emit(t, Op::subtract_64, read(2), read(1)), emit(t, Op::subtract_64, read(1), read(2)));
      return write(emit(t, Op::add_64, difference, read(3)));
    }
    default:
      break;
  }
  t.unsupported("'" + t.instruction.opcode + "' of 64 bits is not supported");
}

}  // namespace teslasim::compiler
