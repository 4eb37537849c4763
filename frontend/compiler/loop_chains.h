// SPDX-License-Identifier: Apache-2.0
// Ways from a counter of a loop to values that grow as evenly as it does, through sums, products and shifts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/compiler/loop_frame.h"

namespace teslasim::compiler {

/// A step from a value that grows evenly to another: its node, and which of the arguments grows.
struct GrowthLink {
  NodeIndex node = no_node;
  std::size_t grows = 0;
};

/// From the counter, a phi of the header, to a value that grows as evenly.
struct GrowthChain {
  NodeIndex counter = no_node;
  IrArgument step{};  ///< of the counter
  std::vector<GrowthLink> links{};
};

class LoopChains {
 public:
  /// Precondition: the frame is complete.
  LoopChains(const IrFunction& function, const NaturalLoop& loop, const NodePlaces& places, const LoopFrame& frame)
      : function_(function), loop_(loop), places_(places), frame_(frame) {}

  [[nodiscard]] std::optional<GrowthChain> to(ValueIndex value) const;
  /// Which argument of a sum, difference, product or shift grows when the others stay.
  [[nodiscard]] std::optional<GrowthLink> link_of(NodeIndex index) const;
  /// What the end of the chain grows by in a turn, where that is a constant.
  [[nodiscard]] std::optional<std::uint32_t> constant_step(const GrowthChain& chain) const;

  [[nodiscard]] bool grows(const IrArgument& argument) const {
    return argument.is_plain() && !places_.is_outside(loop_, argument);
  }

 private:
  const IrFunction& function_;
  const NaturalLoop& loop_;
  const NodePlaces& places_;
  const LoopFrame& frame_;
};

}  // namespace teslasim::compiler
