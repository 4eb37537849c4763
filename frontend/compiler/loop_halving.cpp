// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loop_halving.h"

#include <algorithm>
#include <optional>

#include "frontend/compiler/ir_builder.h"
#include "frontend/compiler/loop_frame.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

/// A phi of the header that is shifted right where a turn begins, and goes on while something is left of it.
struct Halving {
  NodeIndex phi = no_node;
  ValueIndex shifted = no_value;
  std::uint32_t count = 0;
};

class LoopHalving {
 public:
  LoopHalving(IrFunction& function, const NaturalLoop& loop, const NodePlaces& places)
      : function_(function), ir_(function), loop_(loop), places_(places), frame_(function, loop, places) {}

  bool run() {
    if (!frame_.is_complete() || function_.successors(frame_.before()) != 1) return false;
    const std::optional<Halving> halving = find();
    if (!halving) return false;
    apply(*halving);
    return true;
  }

 private:
  /// The loop goes on while the shifted value is above 2^count - 1: as long as another shift leaves something.
  [[nodiscard]] std::optional<Halving> find() const {
    const IrEnd& end = function_.blocks[frame_.latch()].end;
    if (end.kind != IrEnd::Kind::branch || end.condition.is_constant() || !end.condition.is_plain() ||
        end.target[0] != loop_.header)
      return std::nullopt;
    const IrNode& comparison = function_.definition(end.condition.value);
    if (comparison.operation != Op::compare || comparison.compare != Relations::greater ||
        comparison.type == ValueType::s32 || !comparison.arguments[1].is_constant())
      return std::nullopt;
    const IrNode* shift = function_.source(comparison.arguments[0]);
    if (shift == nullptr || shift->operation != Op::shift_right || shift->type == ValueType::s32 ||
        !shift->arguments[1].is_constant() || !shift->arguments[0].is_plain() || shift->arguments[0].is_constant())
      return std::nullopt;
    const std::uint32_t count = shift->arguments[1].constant;
    const NodeIndex phi = function_.values[shift->arguments[0].value].node;
    if (count == 0 || count >= 32 || comparison.arguments[1].constant != (1U << count) - 1 ||
        function_.nodes[phi].operation != Op::phi || places_[phi] != loop_.header ||
        frame_.next_of(phi) != comparison.arguments[0])
      return std::nullopt;
    const std::vector<std::uint32_t> uses = function_.uses();
    if (uses[function_.nodes[phi].results[0]] != 1 || uses[end.condition.value] != 1) return std::nullopt;
    return Halving{phi, comparison.arguments[0].value, count};
  }

  void apply(const Halving& halving) {
    const IrNode shift = function_.definition(halving.shifted);
    const IrArgument carried = value_argument(function_.nodes[halving.phi].results[0]);
    ir_.set_lines(shift.line, shift.ptx_line);
    ir_.set_block(frame_.before());
    const IrArgument start = ir_.shift_right(frame_.start_of(halving.phi), halving.count);
    function_.for_each_argument([&](IrArgument& argument) {
      if (argument.value == halving.shifted) argument.value = carried.value;
    });
    ir_.set_block(frame_.latch());
    const IrArgument next = ir_.shift_right(carried, halving.count);
    const std::vector<BlockIndex>& from = function_.blocks[loop_.header].predecessors;
    for (std::size_t i = 0; i < from.size(); ++i)
      function_.nodes[halving.phi].arguments[i] = from[i] == frame_.latch() ? next : start;
    function_.blocks[frame_.latch()].end.condition = next;
  }

  IrFunction& function_;
  IrBuilder ir_;
  const NaturalLoop& loop_;
  const NodePlaces& places_;
  LoopFrame frame_;
};

}  // namespace

bool halve_at_loop_ends(IrFunction& function) {
  const Loops loops(function.graph());
  const NodePlaces places(function);
  bool changed = false;
  for (const NaturalLoop& loop : loops.all()) changed = LoopHalving(function, loop, places).run() || changed;
  return changed;
}

}  // namespace teslasim::compiler
