// SPDX-License-Identifier: Apache-2.0
// Textures, barriers, votes and what else is neither arithmetic nor memory.
#include <utility>

#include "frontend/compiler/translation.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;
using ptx::PtxOperand;
using ptx::PtxType;
using Op = IrOperation;

constexpr std::uint32_t most_barriers = 16;

void barrier(const Translation& t) {
  const IrArgument number = t.values.read(t.operand(0));
  if (!t.has("sync")) return t.unsupported("bar.arrive needs compute capability 2.0");
  if (t.instruction.operands.size() > 1)
    return t.unsupported("bar.sync for a part of the block needs compute capability 2.0");
  if (!number.is_constant() || number.constant >= most_barriers)
    return t.unsupported("the number of a barrier is a constant from 0 to 15");
  IrNode node;
  node.operation = Op::barrier;
  node.number = number.constant;
  t.ir.append(std::move(node), 0);
}

void vote(const Translation& t) {
  if (t.options.sm < 12) return t.unsupported("vote needs sm_12", help_for_level(12));
  if (t.has("ballot")) return t.unsupported("vote.ballot needs compute capability 2.0");
  const IrArgument input = t.values.read_predicate(t.operand(1));
  const auto voted = [&](VoteKind kind, const IrArgument& argument) {
    IrNode node;
    node.operation = Op::vote;
    node.vote = kind;
    node.arguments = {argument};
    return t.ir.add_node(std::move(node));
  };
  if (!t.has("uni")) return t.values.write(t.operand(0), voted(t.has("all") ? VoteKind::all : VoteKind::any, input));
  const IrArgument all = voted(VoteKind::all, input);
  const IrArgument some = voted(VoteKind::any, input);
  t.values.write(t.operand(0), t.ir.emit(Op::bit_or, {all, t.ir.emit(Op::bit_not, {some})}));
}

void simple(const Translation& t, Op operation) {
  IrNode node;
  node.operation = operation;
  if (operation == Op::performance_event) node.number = t.values.read(t.operand(0)).constant;
  t.ir.append(std::move(node), 0);
}

}  // namespace

void translate_texture(const Translation& t) {
  const PtxOperand& place = t.operand(1);
  IrNode node;
  node.operation = Op::texture;
  node.dimensions = t.has("3d") ? 3 : t.has("2d") ? 2 : 1;
  node.texel_fetch = t.form.types[1] == PtxType::s32;
  PtxOperand name = place;
  name.kind = PtxOperand::Kind::name;
  name.elements.clear();
  node.arguments.push_back(t.values.read(name));
  const PtxOperand& coordinates = place.elements.front();
  if (coordinates.kind != PtxOperand::Kind::vector) node.arguments.push_back(t.values.read(coordinates));
  for (std::size_t i = 0; i < node.dimensions && i < coordinates.elements.size(); ++i)
    node.arguments.push_back(t.values.read(coordinates.elements[i]));
  const std::vector<ValueIndex> results = t.ir.append(std::move(node), 4).results;
  const PtxOperand& target = t.operand(0);
  for (std::size_t i = 0; i < target.elements.size() && i < results.size(); ++i)
    t.values.write(target.elements[i], value_argument(results[i]));
}

void translate_system(const Translation& t) {
  switch (t.form.opcode()) {
    case PtxOpcode::barrier:
      return barrier(t);
    case PtxOpcode::vote:
      return vote(t);
    case PtxOpcode::memory_barrier:
      return simple(t, Op::memory_barrier);
    case PtxOpcode::breakpoint:
      if (t.options.sm < 11) return t.unsupported("brkpt needs sm_11", help_for_level(11));
      return simple(t, Op::breakpoint);
    case PtxOpcode::performance_event:
      return simple(t, Op::performance_event);
    default:
      return;  // prefetch: the chip has no cache to fill
  }
}

}  // namespace teslasim::compiler
