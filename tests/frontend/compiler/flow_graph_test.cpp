// SPDX-License-Identifier: Apache-2.0
// Dominators and post-dominators: known graphs, and random ones against the definition.
#include "frontend/compiler/flow_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include <rapidcheck/gtest.h>

namespace teslasim::compiler {
namespace {

using ::testing::ElementsAre;
using Edge = std::pair<BlockIndex, BlockIndex>;

FlowGraph graph_of(std::size_t blocks, const std::vector<Edge>& edges) {
  FlowGraph graph(blocks);
  for (const auto& [from, to] : edges) graph.connect(from, to);
  return graph;
}

std::vector<BlockIndex> parents_of(const DominatorTree& tree, std::size_t blocks) {
  std::vector<BlockIndex> parents;
  for (BlockIndex block = 0; block < blocks; ++block) parents.push_back(tree.parent(block));
  return parents;
}

/// What `from` reaches without passing `without`.
std::vector<bool> reached(const FlowGraph& graph, BlockIndex from, BlockIndex without = no_block) {
  std::vector<bool> seen(graph.size());
  std::vector<BlockIndex> open;
  if (from != without) open.push_back(from);
  while (!open.empty()) {
    const BlockIndex block = open.back();
    open.pop_back();
    if (seen[block]) continue;
    seen[block] = true;
    for (const BlockIndex next : graph.successors(block)) {
      if (next != without) open.push_back(next);
    }
  }
  return seen;
}

/// Does some path lead from `from` to a block without successors, without passing `without`?
bool ends(const FlowGraph& graph, BlockIndex from, BlockIndex without = no_block) {
  const std::vector<bool> seen = reached(graph, from, without);
  for (BlockIndex block = 0; block < graph.size(); ++block) {
    if (seen[block] && graph.successors(block).empty()) return true;
  }
  return false;
}

TEST(FlowGraph, ASecondEdgeBetweenTheSameBlocksChangesNothing) {
  const FlowGraph graph = graph_of(2, {{0, 1}, {0, 1}});
  EXPECT_THAT(graph.successors(0), ElementsAre(1U));
  EXPECT_THAT(graph.predecessors(1), ElementsAre(0U));
}

TEST(FlowGraph, OfNothing) {
  EXPECT_THAT(dominators(FlowGraph(0)).order(), ElementsAre());
  EXPECT_THAT(post_dominators(FlowGraph(0)).order(), ElementsAre());
}

TEST(FlowGraph, BranchThatJoins) {
  //   0
  //  1 2
  //   3
  const FlowGraph graph = graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  EXPECT_THAT(parents_of(dominators(graph), 4), ElementsAre(no_block, 0U, 0U, 0U));
  EXPECT_THAT(parents_of(post_dominators(graph), 4), ElementsAre(3U, 3U, 3U, no_block));
}

TEST(FlowGraph, LoopWithABreak) {
  // 1 is the head, 2 breaks to 4, 3 goes back, 1 leaves to 4.
  const FlowGraph graph = graph_of(5, {{0, 1}, {1, 2}, {1, 4}, {2, 3}, {2, 4}, {3, 1}});
  EXPECT_THAT(parents_of(dominators(graph), 5), ElementsAre(no_block, 0U, 1U, 2U, 1U));
  EXPECT_THAT(parents_of(post_dominators(graph), 5), ElementsAre(1U, 4U, 4U, 1U, no_block));
}

TEST(FlowGraph, IrregularLoopWithTwoEntries) {
  const FlowGraph graph = graph_of(4, {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {2, 3}});
  EXPECT_THAT(parents_of(dominators(graph), 4), ElementsAre(no_block, 0U, 0U, 2U));
  EXPECT_THAT(parents_of(post_dominators(graph), 4), ElementsAre(2U, 2U, 3U, no_block));
}

TEST(FlowGraph, TwoEndsMeetBehindTheFunction) {
  const FlowGraph graph = graph_of(3, {{0, 1}, {0, 2}});
  EXPECT_THAT(parents_of(post_dominators(graph), 3), ElementsAre(no_block, no_block, no_block));
  EXPECT_FALSE(post_dominators(graph).dominates(1, 0));
}

TEST(FlowGraph, BlocksThatNothingReachesAreNotInTheTree) {
  const FlowGraph graph = graph_of(3, {{0, 2}, {1, 2}});
  EXPECT_FALSE(dominators(graph).contains(1));
  EXPECT_FALSE(post_dominators(graph).contains(1));
  EXPECT_FALSE(dominators(graph).dominates(1, 1));
  EXPECT_THAT(parents_of(dominators(graph), 3), ElementsAre(no_block, no_block, 0U));
}

TEST(FlowGraph, EndlessLoopsHaveAPlace) {
  // 0 and 1 form a loop that is left for 2, which nothing leaves.
  const FlowGraph graph = graph_of(3, {{0, 1}, {1, 0}, {0, 2}, {2, 2}});
  EXPECT_THAT(parents_of(post_dominators(graph), 3), ElementsAre(2U, 0U, no_block));
}

TEST(FlowGraph, AChainOfManyBlocksNeedsNoStack) {
  FlowGraph graph(200'000);
  for (BlockIndex block = 1; block < graph.size(); ++block) graph.connect(block - 1, block);
  EXPECT_TRUE(dominators(graph).dominates(0, 199'999));
  EXPECT_TRUE(post_dominators(graph).dominates(199'999, 0));
}

FlowGraph any_graph() {
  const auto blocks = *rc::gen::inRange<std::size_t>(1, 14);
  const auto end = static_cast<BlockIndex>(blocks);
  const auto edges = *rc::gen::container<std::vector<Edge>>(
      rc::gen::pair(rc::gen::inRange<BlockIndex>(0, end), rc::gen::inRange<BlockIndex>(0, end)));
  return graph_of(blocks, edges);
}

// a dominates b: without a, the entry does not reach b.
RC_GTEST_PROP(FlowGraphProperties, dominators_are_what_all_paths_pass, ()) {
  const FlowGraph graph = any_graph();
  const DominatorTree tree = dominators(graph);
  const std::vector<bool> all = reached(graph, 0);
  for (BlockIndex above = 0; above < graph.size(); ++above) {
    const std::vector<bool> without = reached(graph, 0, above);
    for (BlockIndex below = 0; below < graph.size(); ++below) {
      RC_ASSERT(tree.contains(below) == all[below]);
      RC_ASSERT(tree.dominates(above, below) == (all[above] && all[below] && !without[below]));
    }
  }
}

// a post-dominates b: without a, b comes to no end. Of blocks that come to an end.
RC_GTEST_PROP(FlowGraphProperties, post_dominators_are_what_all_paths_to_the_end_pass, ()) {
  const FlowGraph graph = any_graph();
  const DominatorTree tree = post_dominators(graph);
  const std::vector<bool> all = reached(graph, 0);
  bool endless = false;
  for (BlockIndex block = 0; block < graph.size(); ++block) endless |= all[block] && !ends(graph, block);
  for (BlockIndex above = 0; above < graph.size(); ++above) {
    RC_ASSERT(tree.contains(above) == all[above]);
    for (BlockIndex below = 0; below < graph.size(); ++below) {
      // An endless loop beside has an exit of its own.
      if (endless || !all[above] || !all[below]) continue;
      RC_ASSERT(tree.dominates(above, below) == !ends(graph, below, above));
    }
  }
}

// The parent is the nearest: every other one that dominates a block dominates its parent too.
RC_GTEST_PROP(FlowGraphProperties, parents_are_the_nearest, ()) {
  const FlowGraph graph = any_graph();
  for (const DominatorTree& tree : {dominators(graph), post_dominators(graph)}) {
    std::vector<bool> before(graph.size());
    for (const BlockIndex block : tree.order()) {
      const BlockIndex parent = tree.parent(block);
      if (parent != no_block) RC_ASSERT(tree.dominates(parent, block) && before[parent]);
      before[block] = true;
      for (BlockIndex other = 0; other < graph.size(); ++other) {
        if (other == block || !tree.dominates(other, block)) continue;
        RC_ASSERT(parent != no_block && tree.dominates(other, parent));
      }
    }
  }
}

}  // namespace
}  // namespace teslasim::compiler
