// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/if_conversion.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/compiler/control_flow.h"
#include "frontend/compiler/divergence.h"
#include "frontend/compiler/ir_builder.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

/// Instructions that may be computed in vain. A branch that parts threads takes three of its own (the place to meet,
/// the branch, the flag or the instruction there), one that does not takes one; ways are thought to be taken half of
/// the time. Six is what nvcc put under a guard in FlexGrip's reduction; its transposition keeps branches around seven.
constexpr unsigned most_where_threads_part = 6, most_elsewhere = 2;
constexpr unsigned never = 1000;

unsigned cost_of(const IrNode& node) {
  switch (node.operation) {
    case Op::launch_word:
    case Op::variable_address:
    case Op::bit_not:
      return 0;
    case Op::load:
    case Op::store:
      return 1;
    case Op::add:
      return node.arguments[1].is_constant() ? 0 : 1;  // most often the offset of an access
    case Op::phi:
    case Op::special_register:
    case Op::texture:
    case Op::routine_call:
      return never;
    case Op::double_add:
    case Op::double_multiply:
    case Op::double_multiply_add:
    case Op::double_minimum:
    case Op::double_maximum:
    case Op::double_compare:
      return most_where_threads_part;  // eight times as slow as others
    case Op::reciprocal:
    case Op::reciprocal_root:
    case Op::logarithm:
    case Op::sine:
    case Op::cosine:
    case Op::power:
    case Op::select:
      return 2;
    default:
      return row_of(node.operation).effect == IrEffect::writes ? never : static_cast<unsigned>(node.results.size());
  }
}

/// A read that is harmless whatever the condition says.
bool reads_fixed_place(const IrNode& node) {
  return node.operation == Op::load && node.space == IrSpace::constant && node.arguments[0].is_constant();
}

class BranchConversion {
 public:
  explicit BranchConversion(IrFunction& function)
      : function_(function), ir_(function), divergence_(function), known_values_(function.values.size()) {}

  bool run() {
    bool changed = false;
    const std::vector<BlockIndex> order = reverse_postorder(function_.graph());
    // Inner branches first.
    for (auto block = order.rbegin(); block != order.rend(); ++block) changed = convert(*block) || changed;
    return changed;
  }

 private:
  IrBlock& at(BlockIndex block) { return function_.blocks[block]; }

  bool convert(BlockIndex block) {
    if (at(block).end.kind != IrEnd::Kind::branch || at(block).end.condition.is_constant()) return false;
    return convert_diamond(block) || convert_triangle(block, 0) || convert_triangle(block, 1) ||
           convert_chain(block, 0) || convert_chain(block, 1);
  }

  [[nodiscard]] unsigned allowed(BlockIndex block, BlockIndex meeting) {
    const IrArgument& condition = at(block).end.condition;
    // Threads that have nothing left to do just end.
    if (at(meeting).nodes.empty() && at(meeting).end.kind == IrEnd::Kind::exit) return most_elsewhere;
    const bool parts = condition.value >= known_values_ || divergence_.differs(condition);
    return parts ? most_where_threads_part : most_elsewhere;
  }

  /// Entered from `block` only.
  [[nodiscard]] bool is_side(BlockIndex side, BlockIndex block) {
    return side != block && at(side).predecessors.size() == 1 && at(side).predecessors[0] == block;
  }

  [[nodiscard]] unsigned cost_of_nodes(BlockIndex side) {
    unsigned cost = 0;
    for (const NodeIndex index : at(side).nodes) {
      const IrNode& node = function_.nodes[index];
      cost += cost_of(node) + (node.guarded ? 1 : 0);
      if (cost >= never) break;
    }
    return cost;
  }

  [[nodiscard]] std::size_t position_of(BlockIndex block, BlockIndex predecessor) {
    const std::vector<BlockIndex>& all = at(block).predecessors;
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), predecessor) - all.begin());
  }

  /// Phis whose value depends on which of the two ways was taken.
  [[nodiscard]] unsigned choices(BlockIndex meeting, BlockIndex first, BlockIndex second) {
    const std::size_t one = position_of(meeting, first), other = position_of(meeting, second);
    unsigned found = 0;
    for (const NodeIndex index : at(meeting).nodes) {
      const IrNode& phi = function_.nodes[index];
      if (phi.operation != Op::phi) break;
      if (phi.arguments[one] != phi.arguments[other]) ++found;
    }
    return found;
  }

  bool convert_diamond(BlockIndex block) {
    const auto [taken, other] = at(block).end.target;
    if (!is_side(taken, block) || !is_side(other, block)) return false;
    if (at(taken).end.kind != IrEnd::Kind::jump || at(other).end.kind != IrEnd::Kind::jump) return false;
    const BlockIndex meeting = at(taken).end.target[0];
    if (meeting != at(other).end.target[0] || meeting == block) return false;
    if (cost_of_nodes(taken) + cost_of_nodes(other) + choices(meeting, taken, other) > allowed(block, meeting))
      return false;
    const IrArgument condition = at(block).end.condition;
    take_over(block, taken, condition, false);
    take_over(block, other, condition, true);
    choose(block, meeting, condition, taken, other);
    rename_predecessor(meeting, taken, block);
    remove_predecessor(function_, meeting, other);
    finish(block, meeting, {taken, other});
    return true;
  }

  /// target[way] leads to the other target.
  bool convert_triangle(BlockIndex block, std::size_t way) {
    const BlockIndex side = at(block).end.target[way], meeting = at(block).end.target[1 - way];
    if (!is_side(side, block) || at(side).end.kind != IrEnd::Kind::jump || at(side).end.target[0] != meeting)
      return false;
    if (meeting == block) return false;
    if (cost_of_nodes(side) + choices(meeting, side, block) > allowed(block, meeting)) return false;
    const IrArgument condition = at(block).end.condition;
    take_over(block, side, condition, way == 1);
    choose(block, meeting, condition, way == 0 ? side : block, way == 0 ? block : side);
    remove_predecessor(function_, meeting, side);
    finish(block, meeting, {side});
    return true;
  }

  /// target[way] branches to the other target as well: both conditions become one.
  bool convert_chain(BlockIndex block, std::size_t way) {
    const BlockIndex side = at(block).end.target[way], meeting = at(block).end.target[1 - way];
    if (!is_side(side, block) || at(side).end.kind != IrEnd::Kind::branch || side == meeting) return false;
    const IrEnd inner = at(side).end;
    if (inner.target[0] != meeting && inner.target[1] != meeting) return false;
    const std::size_t on = inner.target[0] == meeting ? 1 : 0;
    const BlockIndex beyond = inner.target[on];
    if (beyond == side || meeting == side || inner.condition.is_constant()) return false;
    if (cost_of_nodes(side) + 2 * choices(meeting, side, block) > allowed(block, meeting)) return false;
    const IrArgument condition = at(block).end.condition;
    take_over(block, side, condition, way == 1);
    choose(block, meeting, condition, way == 0 ? side : block, way == 0 ? block : side);
    remove_predecessor(function_, meeting, side);
    rename_predecessor(beyond, side, block);
    ir_.set_block(block);
    ir_.set_lines(at(block).end.line, 0);
    const IrArgument both = ir_.emit(Op::bit_and, {truth(condition, way == 1), truth(inner.condition, on == 1)});
    at(block).end.condition = both;
    at(block).end.target = {beyond, meeting};
    at(side) = IrBlock{};
    return true;
  }

  IrArgument truth(const IrArgument& condition, bool opposite) {
    return opposite ? ir_.emit(Op::bit_not, {condition}) : condition;
  }

  /// Nodes of `side` at the end of `block`, memory accesses under the condition.
  void take_over(BlockIndex block, BlockIndex side, const IrArgument& condition, bool opposite) {
    ir_.set_block(block);
    for (const NodeIndex index : at(side).nodes) {
      if (const Op operation = function_.nodes[index].operation; operation == Op::load || operation == Op::store)
        guard(index, condition, opposite);
      at(block).nodes.push_back(index);
    }
  }

  void guard(NodeIndex index, const IrArgument& condition, bool opposite) {
    if (reads_fixed_place(function_.nodes[index])) return;
    ir_.set_lines(function_.nodes[index].line, function_.nodes[index].ptx_line);
    // A new node may move all others.
    const IrArgument outer = truth(condition, opposite);
    if (!function_.nodes[index].guarded) {
      function_.nodes[index].guarded = true;
      function_.nodes[index].arguments.push_back(outer);
      return;
    }
    const IrArgument inner = function_.nodes[index].arguments.back();
    const IrArgument both = ir_.emit(Op::bit_and, {outer, inner});
    function_.nodes[index].arguments.back() = both;
  }

  /// Phis of `meeting`: what came from `taken` where the condition holds, else what came from `other`; both stand for
  /// either.
  void choose(BlockIndex block, BlockIndex meeting, const IrArgument& condition, BlockIndex taken, BlockIndex other) {
    const std::size_t first = position_of(meeting, taken), second = position_of(meeting, other);
    ir_.set_block(block);
    const std::vector<NodeIndex> nodes = at(meeting).nodes;
    for (const NodeIndex index : nodes) {
      if (function_.nodes[index].operation != Op::phi) break;
      const IrArgument one = function_.nodes[index].arguments[first], two = function_.nodes[index].arguments[second];
      if (one == two) continue;
      ir_.set_lines(function_.nodes[index].line, function_.nodes[index].ptx_line);
      const IrArgument chosen = ir_.select(condition, one, two);
      function_.nodes[index].arguments[first] = function_.nodes[index].arguments[second] = chosen;
    }
  }

  void rename_predecessor(BlockIndex block, BlockIndex from, BlockIndex to) {
    std::replace(at(block).predecessors.begin(), at(block).predecessors.end(), from, to);
  }

  void finish(BlockIndex block, BlockIndex meeting, std::initializer_list<BlockIndex> gone) {
    IrEnd& end = at(block).end;
    end.kind = IrEnd::Kind::jump;
    end.condition = {};
    end.target = {meeting, no_block};
    for (const BlockIndex side : gone) at(side) = IrBlock{};
  }

  IrFunction& function_;
  IrBuilder ir_;
  Divergence divergence_;
  std::size_t known_values_;
};

}  // namespace

bool convert_branches(IrFunction& function) {
  return BranchConversion(function).run();
}

}  // namespace teslasim::compiler
