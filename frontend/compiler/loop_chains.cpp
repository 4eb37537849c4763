// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loop_chains.h"

#include <algorithm>

namespace teslasim::compiler {

std::optional<GrowthLink> LoopChains::link_of(NodeIndex index) const {
  const IrNode& node = function_.nodes[index];
  if (node.saturate) return std::nullopt;
  const auto& arguments = node.arguments;
  switch (node.operation) {
    case IrOperation::shift_left:
      if (arguments[1].is_constant() && arguments[1].constant < 32 && grows(arguments[0])) return GrowthLink{index, 0};
      return std::nullopt;
    case IrOperation::add:
    case IrOperation::subtract:
    case IrOperation::multiply:
      for (std::size_t i = 0; i < 2; ++i) {
        if (grows(arguments[i]) && frame_.stays(arguments[1 - i])) return GrowthLink{index, i};
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<GrowthChain> LoopChains::to(ValueIndex value) const {
  GrowthChain chain;
  constexpr unsigned most_links = 6;
  for (unsigned length = 0; length <= most_links; ++length) {
    const NodeIndex index = function_.values[value].node;
    if (function_.nodes[index].operation == IrOperation::phi) {
      if (places_[index] != loop_.header) return std::nullopt;
      const std::optional<IrArgument> step = frame_.step_of(index);
      if (!step) return std::nullopt;
      chain.counter = index;
      chain.step = *step;
      std::reverse(chain.links.begin(), chain.links.end());
      return chain;
    }
    const std::optional<GrowthLink> link = link_of(index);
    if (!link) return std::nullopt;
    chain.links.push_back(*link);
    value = function_.nodes[index].arguments[link->grows].value;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> LoopChains::constant_step(const GrowthChain& chain) const {
  if (!chain.step.is_constant()) return std::nullopt;
  std::uint32_t step = chain.step.constant;
  for (const GrowthLink& link : chain.links) {
    const IrNode& node = function_.nodes[link.node];
    const IrArgument& other = node.arguments[1 - link.grows];
    if (node.operation == IrOperation::multiply && !other.is_constant()) return std::nullopt;
    if (node.operation == IrOperation::multiply) step *= other.constant;
    if (node.operation == IrOperation::shift_left) step <<= other.constant;
    if (node.operation == IrOperation::subtract && link.grows == 1) step = 0 - step;
  }
  return step;
}

}  // namespace teslasim::compiler
