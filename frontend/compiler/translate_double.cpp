// SPDX-License-Identifier: Apache-2.0
// f64: on sm_13 the instructions of the chip, division and roots by functions of the runtime library; below, f32 in its
// place, as nvcc did.
#include <utility>

#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;
using Op = IrOperation;

constexpr std::uint32_t sign_bit = 0x80000000U;

void write(const Translation& t, const IrPair& value) {
  t.values.write_pair(t.operand(0), value);
}

IrPair arithmetic(const Translation& t, Op operation, std::size_t sources, bool negate_second = false) {
  IrNode node;
  node.operation = operation;
  node.type = ValueType::f64;
  node.rounding = t.rounding();
  for (std::size_t i = 1; i <= sources; ++i) {
    const IrPair value = t.values.read_pair(t.operand(i));
    node.arguments.push_back(value.low);
    node.arguments.push_back(value.high);
    if (negate_second && i == 2) node.arguments.back().negate = true;
  }
  return t.ir.add_pair_node(std::move(node));
}

/// 1.0
IrPair one() {
  return {constant_argument(0), constant_argument(0x3ff00000U)};
}

IrPair quotient(const Translation& t, const IrPair& left, const IrPair& right) {
  const auto results = t.runtime.call("quotient_f64", {left.low, left.high, right.low, right.high});
  return {results[0], results[1]};
}

IrPair root(const Translation& t, const IrPair& value) {
  const auto results = t.runtime.call("root_f64", {value.low, value.high});
  return {results[0], results[1]};
}

IrPair with_sign(const Translation& t) {
  const IrPair value = t.values.read_pair(t.operand(1));
  const bool absolute = t.form.opcode() == PtxOpcode::absolute;
  return {value.low, absolute ? t.ir.bit_and(value.high, ~sign_bit)
                              : t.ir.emit(Op::bit_xor, {value.high, constant_argument(sign_bit)})};
}

}  // namespace

void translate_double(const Translation& t) {
  if (t.values.demotes()) return translate_float(t);
  switch (t.form.opcode()) {
    case PtxOpcode::add:
      return write(t, arithmetic(t, Op::double_add, 2));
    case PtxOpcode::subtract:
      return write(t, arithmetic(t, Op::double_add, 2, true));
    case PtxOpcode::multiply:
      return write(t, arithmetic(t, Op::double_multiply, 2));
    case PtxOpcode::multiply_add:
    case PtxOpcode::fused_multiply_add:
      return write(t, arithmetic(t, Op::double_multiply_add, 3));
    case PtxOpcode::minimum:
      return write(t, arithmetic(t, Op::double_minimum, 2));
    case PtxOpcode::maximum:
      return write(t, arithmetic(t, Op::double_maximum, 2));
    case PtxOpcode::absolute:
    case PtxOpcode::negate:
      return write(t, with_sign(t));
    case PtxOpcode::divide:
      return write(t, quotient(t, t.values.read_pair(t.operand(1)), t.values.read_pair(t.operand(2))));
    case PtxOpcode::reciprocal:
      return write(t, quotient(t, one(), t.values.read_pair(t.operand(1))));
    case PtxOpcode::square_root:
      return write(t, root(t, t.values.read_pair(t.operand(1))));
    case PtxOpcode::reciprocal_root:
      return write(t, quotient(t, one(), root(t, t.values.read_pair(t.operand(1)))));
    default:
      return t.unsupported("'" + t.instruction.opcode + "' of f64 is not supported");
  }
}

IrPair widen_demoted(const Translation& t, const IrArgument& single) {
  const auto words = t.runtime.call("widen_f32", {single});
  return {words[0], words[1]};
}

IrArgument narrow_demoted(const Translation& t, const IrPair& bits) {
  return t.runtime.call("narrow_f64", {bits.low, bits.high}).front();
}

}  // namespace teslasim::compiler
