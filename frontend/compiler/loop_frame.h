// SPDX-License-Identifier: Apache-2.0
// What passes over loops ask: the block before a loop, what comes from outside, what grows, how much the loop carries.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "frontend/compiler/ir.h"
#include "frontend/compiler/loops.h"

namespace teslasim::compiler {

/// Values that a loop may carry before passes add more: with 16 registers a thread leaves room for 512 on the
/// smallest chips.
inline constexpr std::size_t most_carried = 14;

/// A block before each loop from which all who enter come, and that leads nowhere else.
void give_preheaders(IrFunction& function);

/// That block; no_block where the loop has none. Precondition: `give_preheaders`.
[[nodiscard]] BlockIndex preheader(const IrFunction& function, const NaturalLoop& loop);

/// The block in which each node stands; no_block: in none.
class NodePlaces {
 public:
  explicit NodePlaces(const IrFunction& function);

  [[nodiscard]] BlockIndex operator[](NodeIndex node) const { return node < places_.size() ? places_[node] : no_block; }
  void move(NodeIndex node, BlockIndex block);

  /// A constant, or defined outside of the loop.
  [[nodiscard]] bool is_outside(const NaturalLoop& loop, const IrArgument& argument) const;
  /// Values from outside that the loop reads from registers, and those that it carries from turn to turn.
  [[nodiscard]] std::size_t carried(const NaturalLoop& loop) const;

 private:
  const IrFunction& function_;
  std::vector<BlockIndex> places_{};
};

/// One loop, entered from `before` and repeated from one `latch`.
class LoopFrame {
 public:
  LoopFrame(const IrFunction& function, const NaturalLoop& loop, const NodePlaces& places);

  /// Both ends are known. Precondition of what follows.
  [[nodiscard]] bool is_complete() const { return before_ != no_block && latch_ != no_block; }
  [[nodiscard]] BlockIndex before() const { return before_; }
  [[nodiscard]] BlockIndex latch() const { return latch_; }

  [[nodiscard]] bool stays(const IrArgument& argument) const {
    return argument.is_plain() && places_.is_outside(loop_, argument);
  }
  /// What a phi of the header is when the loop begins, and what it becomes after a turn.
  [[nodiscard]] const IrArgument& start_of(NodeIndex phi) const { return argument_from(phi, before_); }
  [[nodiscard]] const IrArgument& next_of(NodeIndex phi) const { return argument_from(phi, latch_); }
  /// What it grows by from turn to turn; nothing: it does not grow evenly.
  [[nodiscard]] std::optional<IrArgument> step_of(NodeIndex phi) const;

 private:
  [[nodiscard]] const IrArgument& argument_from(NodeIndex phi, BlockIndex block) const;

  const IrFunction& function_;
  const NaturalLoop& loop_;
  const NodePlaces& places_;
  BlockIndex before_ = no_block, latch_ = no_block;
};

}  // namespace teslasim::compiler
