// SPDX-License-Identifier: Apache-2.0
// Comparing and selecting.
#include <utility>

#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;
using ptx::PtxType;
using Op = IrOperation;

/// Unsigned names compare signed types as if they were unsigned; bits are unsigned.
ValueType compared_as(const Translation& t, PtxType type) {
  const bool by_name = t.has("lo") || t.has("ls") || t.has("hi") || t.has("hs");
  return is_signed_type(type) && !by_name ? ValueType::s32 : ValueType::u32;
}

IrArgument compare_wide(const Translation& t, PtxType type, const ptx::PtxOperand& left, const ptx::PtxOperand& right) {
  const IrPair a = t.values.read_pair(left), b = t.values.read_pair(right);
  IrNode node;
  node.compare = relations_of(t);
  node.arguments = {a.low, a.high, b.low, b.high};
  if (is_float(type)) {
    node.operation = Op::double_compare;
    node.type = ValueType::f64;
  } else {
    node.operation = Op::compare_64;
    node.type = compared_as(t, type) == ValueType::s32 ? ValueType::s64 : ValueType::u64;
  }
  return t.ir.add_node(std::move(node));
}

/// Operands as the type of the comparison says; all ones or 0.
IrArgument compared(const Translation& t, PtxType type) {
  const ptx::PtxOperand &left = t.operand(1), &right = t.operand(2);
  const bool demoted = type == PtxType::f64 && t.values.demotes();
  if (is_wide(type) && !demoted) return compare_wide(t, type, left, right);
  if (is_float(type)) return t.ir.compare(relations_of(t), t.values.read(left), t.values.read(right), ValueType::f32);
  const ValueType as = compared_as(t, type);
  // 16 bits of a signed type under an unsigned name are extended without sign.
  const PtxType extended = as == ValueType::u32 && type == PtxType::s16 ? PtxType::u16 : type;
  return t.ir.compare(relations_of(t), t.values.read_extended(left, extended), t.values.read_extended(right, extended),
                      as);
}

IrArgument combined(const Translation& t, const IrArgument& result) {
  if (t.instruction.operands.size() < 4) return result;
  const Op operation = t.has("and") ? Op::bit_and : t.has("or") ? Op::bit_or : Op::bit_xor;
  return t.ir.emit(operation, {result, t.values.read_predicate(t.operand(3))});
}

void set_predicate(const Translation& t) {
  const IrArgument result = compared(t, t.type());
  const ptx::PtxOperand& target = t.operand(0);
  if (target.kind != ptx::PtxOperand::Kind::pair) return t.values.write(target, combined(t, result));
  const IrArgument first = combined(t, result);
  const IrArgument second = combined(t, t.ir.emit(Op::bit_not, {result}));
  t.values.write(target.elements[0], first);
  t.values.write(target.elements[1], second);
}

void set(const Translation& t) {
  const IrArgument truth = combined(t, compared(t, t.form.types[1]));
  constexpr std::uint32_t one = 0x3f800000U;
  t.values.write(t.operand(0), t.type() == PtxType::f32 ? t.ir.bit_and(truth, one) : truth);
}

void select(const Translation& t) {
  const IrArgument condition = t.values.read_predicate(t.operand(3));
  const IrPair taken = t.values.read_pair(t.operand(1)), other = t.values.read_pair(t.operand(2));
  const IrArgument low = t.ir.select(condition, taken.low, other.low);
  if (!is_wide(t.type())) return t.values.write(t.operand(0), low);
  t.values.write_pair(t.operand(0), {low, t.ir.select(condition, taken.high, other.high)});
}

/// The first where the third is at least 0; a float that is no number selects the second.
void select_by_sign(const Translation& t) {
  const IrArgument sign = t.values.read(t.operand(3));
  const ValueType type = t.form.types[1] == PtxType::f32 ? ValueType::f32 : ValueType::s32;
  constexpr auto at_least = static_cast<Relations>(6);
  const IrArgument condition = t.ir.compare(at_least, sign, constant_argument(0), type);
  const IrPair taken = t.values.read_pair(t.operand(1)), other = t.values.read_pair(t.operand(2));
  const IrArgument low = t.ir.select(condition, taken.low, other.low);
  if (!is_wide(t.type())) return t.values.write(t.operand(0), low);
  t.values.write_pair(t.operand(0), {low, t.ir.select(condition, taken.high, other.high)});
}

}  // namespace

void translate_comparison(const Translation& t) {
  switch (t.form.opcode()) {
    case PtxOpcode::set_predicate:
      return set_predicate(t);
    case PtxOpcode::set:
      return set(t);
    case PtxOpcode::select:
      return select(t);
    default:
      return select_by_sign(t);
  }
}

}  // namespace teslasim::compiler
