// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loop_invariants.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <vector>

#include "frontend/compiler/edges.h"
#include "frontend/compiler/loops.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

/// Values that a loop may carry before nothing more is added to them: with 16 registers a thread leaves room for 512 on
/// the smallest chips.
constexpr std::size_t most_carried = 14;

bool may_move(const IrNode& node) {
  switch (node.operation) {
    case Op::phi:
    case Op::copy:
    case Op::thread_index:
    case Op::launch_word:
    case Op::variable_address:
    case Op::compare:
    case Op::compare_64:
    case Op::float_compare:
    case Op::double_compare:
    case Op::bit_not:
      return false;
    default:
      return row_of(node.operation).effect == IrEffect::pure;
  }
}

class InvariantMotion {
 public:
  explicit InvariantMotion(IrFunction& function) : function_(function) {}

  bool run() {
    give_preheaders();
    const Loops loops(function_.graph());
    places_.assign(function_.nodes.size(), no_block);
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      for (const NodeIndex index : function_.blocks[block].nodes) places_[index] = block;
    }
    bool changed = false;
    for (const NaturalLoop& loop : loops.all()) changed = hoist(loop) || changed;
    return changed;
  }

 private:
  /// A block before each loop from which all who enter come, and that leads nowhere else.
  void give_preheaders() {
    const Loops loops(function_.graph());
    for (const NaturalLoop& loop : loops.all()) {
      std::vector<BlockIndex> outside;
      for (const BlockIndex from : function_.blocks[loop.header].predecessors) {
        if (from >= loop.contains.size() || !loop.contains[from]) outside.push_back(from);
      }
      if (outside.empty() || (outside.size() == 1 && function_.successors(outside[0]) == 1)) continue;
      (void)split_edges(function_, outside, loop.header);
    }
  }

  [[nodiscard]] BlockIndex preheader(const NaturalLoop& loop) const {
    for (const BlockIndex from : function_.blocks[loop.header].predecessors) {
      if (!loop.contains[from]) return from;
    }
    return no_block;
  }

  [[nodiscard]] bool is_outside(const NaturalLoop& loop, const IrArgument& argument) const {
    if (argument.is_constant()) return true;
    const BlockIndex place = places_[function_.values[argument.value].node];
    return place != no_block && !loop.contains[place];
  }

  /// Values from outside that the loop reads, and those that it carries from turn to turn.
  [[nodiscard]] std::size_t carried(const NaturalLoop& loop) const {
    std::unordered_set<ValueIndex> found;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop.contains[block]) continue;
      for (const NodeIndex index : function_.blocks[block].nodes) {
        const IrNode& node = function_.nodes[index];
        if (node.operation == Op::phi) found.insert(node.results[0]);
        for (const IrArgument& argument : node.arguments) {
          if (!argument.is_constant() && node.operation != Op::phi && is_outside(loop, argument) &&
              takes_register(argument))
            found.insert(argument.value);
        }
      }
    }
    return found.size();
  }

  [[nodiscard]] bool takes_register(const IrArgument& argument) const {
    const Op operation = function_.source(argument)->operation;
    return operation != Op::launch_word && operation != Op::variable_address;
  }

  bool hoist(const NaturalLoop& loop) {
    const BlockIndex before = preheader(loop);
    if (before == no_block) return false;
    std::size_t registers = carried(loop);
    bool changed = false;
    for (const BlockIndex block : reverse_postorder(function_.graph())) {
      if (!loop.contains[block]) continue;
      std::vector<NodeIndex> stay;
      for (const NodeIndex index : function_.blocks[block].nodes) {
        const IrNode& node = function_.nodes[index];
        const bool invariant = may_move(node) && registers + node.results.size() <= most_carried &&
                               std::all_of(node.arguments.begin(), node.arguments.end(),
                                           [&](const IrArgument& argument) { return is_outside(loop, argument); });
        if (!invariant) {
          stay.push_back(index);
          continue;
        }
        registers += node.results.size();
        function_.blocks[before].nodes.push_back(index);
        places_[index] = before;
        changed = true;
      }
      function_.blocks[block].nodes = std::move(stay);
    }
    return changed;
  }

  IrFunction& function_;
  std::vector<BlockIndex> places_{};
};

}  // namespace

bool hoist_invariants(IrFunction& function) {
  return InvariantMotion(function).run();
}

}  // namespace teslasim::compiler
