// SPDX-License-Identifier: Apache-2.0
// Where threads that part at a block all come, but for those that end first: post-dominators of a function for joins.
//
// Nobody waits for threads that end. So an empty block at the end is no place to meet, and where threads part of which
// some end without another barrier and the others come to one, only the ways of the others count: all of them have to
// be at that barrier at once.
#pragma once

#include <vector>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

class MeetingPlaces {
 public:
  explicit MeetingPlaces(const IrFunction& function);

  /// The first block that all threads pass which go on from the end of `block`; no_block: there is none.
  [[nodiscard]] BlockIndex parent(BlockIndex block) const;
  /// The first such block that is not in `loop`, by number of block.
  [[nodiscard]] BlockIndex parent_outside(BlockIndex block, const std::vector<bool>& loop) const;
  /// Do all threads that go on from the end of `block` come to `meeting`?
  [[nodiscard]] bool all_come(BlockIndex block, BlockIndex meeting) const;
  /// Do all threads that come to `sooner` go on to another block, `later`?
  [[nodiscard]] bool is_behind(BlockIndex later, BlockIndex sooner) const;
  /// Threads that take this edge only end.
  [[nodiscard]] bool only_ends(BlockIndex from, BlockIndex to) const;

 private:
  [[nodiscard]] FlowGraph going_on() const;
  /// What only threads that end pass is not in the tree of those that go on.
  [[nodiscard]] bool goes_on(BlockIndex block) const { return of_those_who_go_on_.contains(block); }

  const IrFunction& function_;
  FlowGraph graph_;
  std::vector<bool> leads_to_barrier_;
  /// The node of a block's beginning: a block with a barrier has one of its own, since all are together there.
  std::vector<BlockIndex> beginning_;
  std::vector<BlockIndex> block_of_{};  ///< node
  DominatorTree of_all_, of_those_who_go_on_;
};

}  // namespace teslasim::compiler
