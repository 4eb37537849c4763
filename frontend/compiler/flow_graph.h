// SPDX-License-Identifier: Apache-2.0
// A directed graph of blocks, and the order of which must be passed before which: dominators and post-dominators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace teslasim::compiler {

using BlockIndex = std::uint32_t;
inline constexpr BlockIndex no_block = ~BlockIndex{0};
/// Of a branch with two targets: it does not matter which of the threads that it parts go on first.
inline constexpr std::uint8_t either_way = 2;

/// Blocks by number; block 0 is the entry.
class FlowGraph {
 public:
  explicit FlowGraph(std::size_t blocks) : successors_(blocks), predecessors_(blocks) {}

  /// A second edge between the same blocks changes nothing.
  void connect(BlockIndex from, BlockIndex to);
  [[nodiscard]] std::size_t size() const { return successors_.size(); }
  [[nodiscard]] const std::vector<BlockIndex>& successors(BlockIndex block) const { return successors_[block]; }
  [[nodiscard]] const std::vector<BlockIndex>& predecessors(BlockIndex block) const { return predecessors_[block]; }

 private:
  std::vector<std::vector<BlockIndex>> successors_, predecessors_;
};

/// A tree of blocks: the parent of a block is the last that every path to it (from it) must pass.
class DominatorTree {
 public:
  /// `parents`: no_block for roots and for blocks that are not in the tree.
  DominatorTree(std::vector<BlockIndex> parents, std::vector<BlockIndex> order);

  /// no_block: the root, a block that no path reaches, or one that meets its neighbours only behind the end.
  [[nodiscard]] BlockIndex parent(BlockIndex block) const { return parents_[block]; }
  [[nodiscard]] bool contains(BlockIndex block) const { return entered_[block] != 0; }
  /// Does every path pass `above`? A block dominates itself. False for blocks outside of the tree.
  [[nodiscard]] bool dominates(BlockIndex above, BlockIndex below) const;
  /// Blocks of the tree, parents before their children.
  [[nodiscard]] const std::vector<BlockIndex>& order() const { return order_; }

 private:
  std::vector<BlockIndex> parents_, order_;
  std::vector<std::uint32_t> entered_, left_;  ///< times of a walk over the tree, from 1
};

/// Of the blocks that the entry reaches.
[[nodiscard]] DominatorTree dominators(const FlowGraph& graph);

/// Of the blocks that the entry reaches. Blocks without successors end at a common exit that is no block. Blocks from
/// which no path leads there run into endless loops: one edge to the exit is added for each loop that nothing leaves,
/// so that every block has its place for any graph.
[[nodiscard]] DominatorTree post_dominators(const FlowGraph& graph);

/// Reverse postorder of what the entry reaches: a block stands before its successors, but for edges back in loops.
[[nodiscard]] std::vector<BlockIndex> reverse_postorder(const FlowGraph& graph);

}  // namespace teslasim::compiler
