// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/counter_sums.h"

#include <cstdint>
#include <optional>

#include "frontend/compiler/loop_frame.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

/// The counters of one loop.
class LoopCounters {
 public:
  LoopCounters(IrFunction& function, const NaturalLoop& loop, const NodePlaces& places)
      : function_(function), loop_(loop), places_(places), frame_(function, loop, places) {}

  /// LLVM writes the sum of an even counter and 1 as `or`.
  bool write_sums() {
    if (!frame_.is_complete()) return false;
    bool changed = false;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop_.contains[block]) continue;
      for (const NodeIndex index : function_.blocks[block].nodes) {
        IrNode& node = function_.nodes[index];
        if (node.operation != Op::bit_or || !node.arguments[1].is_constant()) continue;
        if (node.arguments[1].constant >= divisor_of(node.arguments[0])) continue;
        node.operation = Op::add;
        changed = true;
      }
    }
    return changed;
  }

 private:
  /// A power of two of which a counter is always a multiple; 0: not a counter, or not known.
  [[nodiscard]] std::uint32_t divisor_of(const IrArgument& argument) const {
    if (!argument.is_plain() || places_.is_outside(loop_, argument)) return 0;
    const NodeIndex phi = function_.values[argument.value].node;
    if (function_.nodes[phi].operation != Op::phi || places_[phi] != loop_.header) return 0;
    const std::optional<IrArgument> step = frame_.step_of(phi);
    const IrArgument& start = frame_.start_of(phi);
    if (!step || !step->is_constant() || !start.is_constant()) return 0;
    const std::uint32_t both = step->constant | start.constant;
    return both & (0 - both);
  }

  IrFunction& function_;
  const NaturalLoop& loop_;
  const NodePlaces& places_;
  LoopFrame frame_;
};

}  // namespace

bool write_counter_sums(IrFunction& function) {
  give_preheaders(function);
  const FlowGraph graph = function.graph();
  const Loops loops(graph);
  const NodePlaces places(function);
  bool changed = false;
  for (const NaturalLoop& loop : loops.all()) changed = LoopCounters(function, loop, places).write_sums() || changed;
  return changed;
}

}  // namespace teslasim::compiler
