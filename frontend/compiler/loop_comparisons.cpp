// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loop_comparisons.h"

#include <algorithm>
#include <cstddef>

namespace teslasim::compiler {
namespace {

bool stands_in(const IrFunction& function, const IrArgument& value, BlockIndex block) {
  const std::vector<NodeIndex>& nodes = function.blocks[block].nodes;
  return std::find(nodes.begin(), nodes.end(), function.values[value.value].node) != nodes.end();
}

/// x > limit is x >> count > limit >> count when the bits that are lost are 1 in the limit, x < limit when they are 0.
bool survives_shift(Relations relations, std::uint32_t limit, std::uint32_t count) {
  const bool less = includes(relations, Relations::less);
  if (less == includes(relations, Relations::greater)) return false;
  const std::uint32_t lost = (1U << count) - 1;
  return (limit & lost) == (less == includes(relations, Relations::equal) ? lost : 0);
}

}  // namespace

std::optional<NextComparison> comparison_with_next(const IrFunction& function, const IrNode& comparison,
                                                   BlockIndex block) {
  const IrArgument &old = comparison.arguments[0], &limit = comparison.arguments[1];
  const IrNode* phi = function.source(old);
  if (phi == nullptr || phi->operation != IrOperation::phi || !limit.is_constant()) return std::nullopt;
  for (const BlockIndex header : function.blocks[block].end.target) {
    if (header == no_block || !stands_in(function, old, header)) continue;
    const std::vector<BlockIndex>& before = function.blocks[header].predecessors;
    const auto way = std::find(before.begin(), before.end(), block) - before.begin();
    const IrArgument next = phi->arguments[static_cast<std::size_t>(way)];
    const IrNode* shift = function.source(next);
    const bool halves = shift != nullptr && shift->operation == IrOperation::shift_right &&
                        shift->type != ValueType::s32 && shift->arguments[0] == old &&
                        shift->arguments[1].is_constant() && shift->arguments[1].constant < 32;
    if (!halves || !survives_shift(comparison.compare, limit.constant, shift->arguments[1].constant)) continue;
    return NextComparison{next.value, limit.constant >> shift->arguments[1].constant};
  }
  return std::nullopt;
}

}  // namespace teslasim::compiler
