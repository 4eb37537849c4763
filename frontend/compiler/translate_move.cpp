// SPDX-License-Identifier: Apache-2.0
// mov, also between vectors and words; addresses of one space as generic ones and back.
#include <utility>

#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;
using ptx::PtxOperand;
using ptx::PtxType;
using Op = IrOperation;

/// {a, b} to one value: elements of 8, 16 or 32 bits.
void pack(const Translation& t) {
  const std::vector<PtxOperand>& elements = t.operand(1).elements;
  const unsigned bits = bits_of(t.type()) / static_cast<unsigned>(elements.size());
  IrArgument words[2] = {constant_argument(0), constant_argument(0)};
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const unsigned at = static_cast<unsigned>(i) * bits;
    IrArgument value = t.values.read(elements[i]);
    if (bits < 32) value = t.ir.shift_left(t.ir.bit_and(value, (1U << bits) - 1), at % 32);
    IrArgument& word = words[at / 32];
    word = at % 32 == 0 ? value : t.ir.emit(Op::bit_or, {word, value});
  }
  if (is_wide(t.type())) return t.values.write_pair(t.operand(0), {words[0], words[1]});
  t.values.write(t.operand(0), words[0]);
}

void unpack(const Translation& t) {
  const std::vector<PtxOperand>& elements = t.operand(0).elements;
  const unsigned bits = bits_of(t.type()) / static_cast<unsigned>(elements.size());
  IrPair value = t.values.read_pair(t.operand(1));
  if (t.values.demotes() && t.values.declared_type(t.operand(1)) == PtxType::f64) value = widen_demoted(t, value.low);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const unsigned at = static_cast<unsigned>(i) * bits;
    const IrArgument& word = at < 32 ? value.low : value.high;
    t.values.write(elements[i], at % 32 == 0 ? word : t.ir.shift_right(word, at % 32));
  }
}

void move_wide(const Translation& t) {
  IrPair value = t.values.read_pair(t.operand(1));
  if (t.values.demotes()) {
    const bool from = t.values.declared_type(t.operand(1)) == PtxType::f64;
    const bool to = t.values.declared_type(t.operand(0)) == PtxType::f64;
    const bool constant = t.operand(1).kind == PtxOperand::Kind::constant;
    if (from && !to) value = widen_demoted(t, value.low);
    if (!from && to && !constant) value = {narrow_demoted(t, value), constant_argument(0)};
  }
  t.values.write_pair(t.operand(0), value);
}

IrSpace space_of(const Translation& t) {
  if (t.has("global")) return IrSpace::global;
  if (t.has("shared")) return IrSpace::shared;
  if (t.has("local")) return IrSpace::local;
  return IrSpace::constant;
}

/// An address keeps its number; where it points is noted.
void convert_address(const Translation& t) {
  const IrPair value = t.values.read_pair(t.operand(1));
  IrNode node;
  node.operation = Op::copy;
  node.origin = space_of(t);
  node.arguments = {value.low};
  const IrArgument low = t.ir.add_node(std::move(node));
  if (is_wide(t.type())) return t.values.write_pair(t.operand(0), {low, constant_argument(0)});
  t.values.write(t.operand(0), low);
}

}  // namespace

void translate_move(const Translation& t) {
  if (t.form.opcode() == PtxOpcode::convert_address) return convert_address(t);
  if (t.operand(1).kind == PtxOperand::Kind::vector) {
    if (t.operand(0).kind != PtxOperand::Kind::vector) return pack(t);
    return t.unsupported("mov from vector to vector is not supported", "move the elements");
  }
  if (t.operand(0).kind == PtxOperand::Kind::vector) return unpack(t);
  if (t.type() == PtxType::pred) return t.values.write(t.operand(0), t.values.read_predicate(t.operand(1)));
  if (is_wide(t.type())) return move_wide(t);
  t.values.write(t.operand(0), t.values.read(t.operand(1)));
}

}  // namespace teslasim::compiler
