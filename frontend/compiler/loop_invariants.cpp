// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loop_invariants.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "frontend/compiler/loop_frame.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

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
    give_preheaders(function_);
    const Loops loops(function_.graph());
    NodePlaces places(function_);
    bool changed = false;
    for (const NaturalLoop& loop : loops.all()) changed = hoist(loop, places) || changed;
    return changed;
  }

 private:
  bool hoist(const NaturalLoop& loop, NodePlaces& places) {
    const BlockIndex before = preheader(function_, loop);
    if (before == no_block) return false;
    std::size_t registers = places.carried(loop);
    bool changed = false;
    for (const BlockIndex block : reverse_postorder(function_.graph())) {
      if (!loop.contains[block]) continue;
      std::vector<NodeIndex> stay;
      for (const NodeIndex index : function_.blocks[block].nodes) {
        const IrNode& node = function_.nodes[index];
        const bool invariant =
            may_move(node) && registers + node.results.size() <= most_carried &&
            std::all_of(node.arguments.begin(), node.arguments.end(),
                        [&](const IrArgument& argument) { return places.is_outside(loop, argument); });
        if (!invariant) {
          stay.push_back(index);
          continue;
        }
        registers += node.results.size();
        function_.blocks[before].nodes.push_back(index);
        places.move(index, before);
        changed = true;
      }
      function_.blocks[block].nodes = std::move(stay);
    }
    return changed;
  }

  IrFunction& function_;
};

}  // namespace

bool hoist_invariants(IrFunction& function) {
  return InvariantMotion(function).run();
}

}  // namespace teslasim::compiler
