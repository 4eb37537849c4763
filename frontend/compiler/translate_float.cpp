// SPDX-License-Identifier: Apache-2.0
// f32, and f64 that is held as f32.
//
// The chip knows neither denormals nor division: all of f32 flushes, as nvcc's code for compute capability 1.x did, and
// div and sqrt are its short sequences (2 and 3 ulp, NVIDIA 2010, CUDA C programming guide, table C-1). `.ftz` says
// that LLVM's builtins were used: such sums and products are never made one.
#include <utility>

#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;
using Op = IrOperation;

constexpr std::uint32_t sign_bit = 0x80000000U;
constexpr std::uint32_t quarter = 0x3e800000U;
/// 2^126: the reciprocal of what is larger is a denormal.
constexpr std::uint32_t large = 0x7e800000U;

IrArgument read(const Translation& t, std::size_t position) {
  return t.values.read(t.operand(position));
}

void write(const Translation& t, const IrArgument& value) {
  if (is_wide(t.type())) return t.values.write_pair(t.operand(0), {value, constant_argument(0)});
  t.values.write(t.operand(0), value);
}

IrNode node_of(const Translation& t, Op operation) {
  IrNode node;
  node.operation = operation;
  node.type = ValueType::f32;
  node.rounding = t.rounding() == Rounding::zero ? Rounding::zero : Rounding::nearest;
  node.exact = t.has("ftz") || node.rounding != Rounding::nearest;
  return node;
}

/// Directed rounding of sums and products does not exist on the chip.
bool rounds_oddly(const Translation& t) {
  const Rounding rounding = t.rounding();
  if (rounding != Rounding::up && rounding != Rounding::down) return false;
  t.unsupported("f32 arithmetic rounds to nearest or to zero on this chip", "use .rn or .rz");
  return true;
}

IrArgument saturated(const Translation& t, const IrArgument& value) {
  if (!t.has("sat")) return value;
  IrNode node;
  node.operation = Op::convert;
  node.type = node.source_type = ValueType::f32;
  node.saturate = true;
  node.arguments = {value};
  return t.ir.add_node(std::move(node));
}

void sum(const Translation& t, bool subtracts) {
  if (rounds_oddly(t)) return;
  IrNode node = node_of(t, Op::float_add);
  node.saturate = t.has("sat");
  node.arguments = {read(t, 1), read(t, 2)};
  node.arguments[1].negate = subtracts;
  write(t, t.ir.add_node(std::move(node)));
}

void product(const Translation& t) {
  if (rounds_oddly(t)) return;
  IrNode node = node_of(t, Op::float_multiply);
  node.arguments = {read(t, 1), read(t, 2)};
  write(t, saturated(t, t.ir.add_node(std::move(node))));
}

void product_sum(const Translation& t, bool fused) {
  if (fused && !is_wide(t.type()))
    t.warn("CUDA-FMA", "fma.f32 becomes mad, which cuts the product to 24 bits: the chip has no fused one",
           "with clang: -ffp-contract=off, and __fmaf_rn where exact results matter");
  IrNode node = node_of(t, Op::float_multiply_add);
  node.rounding = Rounding::nearest;
  node.saturate = t.has("sat");
  node.arguments = {read(t, 1), read(t, 2), read(t, 3)};
  write(t, t.ir.add_node(std::move(node)));
}

IrArgument special(const Translation& t, Op operation, const IrArgument& value) {
  return t.ir.emit(operation, {value}, ValueType::f32);
}

IrArgument quotient(const Translation& t, const IrArgument& left, const IrArgument& right) {
  return t.ir.emit(Op::float_multiply, {left, special(t, Op::reciprocal, right)}, ValueType::f32);
}

void divide(const Translation& t) {
  const IrArgument left = read(t, 1), right = read(t, 2);
  if (t.has("approx") || t.options.fast_math || right.is_constant()) return write(t, quotient(t, left, right));
  IrArgument size = right;
  size.absolute = true;
  const IrArgument is_large = t.ir.compare(Relations::greater, size, constant_argument(large), ValueType::f32);
  const auto scaled = [&](const IrArgument& value) {
    return t.ir.select(is_large, t.ir.emit(Op::float_multiply, {value, constant_argument(quarter)}, ValueType::f32),
                       value);
  };
  write(t, quotient(t, scaled(left), scaled(right)));
}

IrArgument shared_sign_operation(const Translation& t) {
  const bool absolute = t.form.opcode() == PtxOpcode::absolute;
  return absolute ? t.ir.bit_and(read(t, 1), ~sign_bit)
                  : t.ir.emit(Op::bit_xor, {read(t, 1), constant_argument(sign_bit)});
}

IrArgument unary(const Translation& t) {
  const IrArgument value = read(t, 1);
  switch (t.form.opcode()) {
    case PtxOpcode::reciprocal:
      return special(t, Op::reciprocal, value);
    case PtxOpcode::square_root:
      return special(t, Op::reciprocal, special(t, Op::reciprocal_root, value));
    case PtxOpcode::reciprocal_root:
      return special(t, Op::reciprocal_root, value);
    case PtxOpcode::sine:
      return special(t, Op::sine, special(t, Op::prepare_sine, value));
    case PtxOpcode::cosine:
      return special(t, Op::cosine, special(t, Op::prepare_sine, value));
    case PtxOpcode::logarithm:
      return special(t, Op::logarithm, value);
    default:
      return special(t, Op::power, special(t, Op::prepare_power, value));
  }
}

}  // namespace

void translate_float(const Translation& t) {
  switch (t.form.opcode()) {
    case PtxOpcode::add:
      return sum(t, false);
    case PtxOpcode::subtract:
      return sum(t, true);
    case PtxOpcode::multiply:
      return product(t);
    case PtxOpcode::multiply_add:
      return product_sum(t, false);
    case PtxOpcode::fused_multiply_add:
      return product_sum(t, true);
    case PtxOpcode::divide:
      return divide(t);
    case PtxOpcode::absolute:
    case PtxOpcode::negate:
      return write(t, shared_sign_operation(t));
    case PtxOpcode::minimum:
    case PtxOpcode::maximum: {
      const Op operation = t.form.opcode() == PtxOpcode::minimum ? Op::float_minimum : Op::float_maximum;
      return write(t, t.ir.emit(operation, {read(t, 1), read(t, 2)}, ValueType::f32));
    }
    default:
      return write(t, unary(t));
  }
}

}  // namespace teslasim::compiler
