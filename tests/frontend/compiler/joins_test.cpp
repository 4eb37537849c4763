// SPDX-License-Identifier: Apache-2.0
// Joins: a warp walks random graphs, and lanes that a branch parted are together again at every barrier.
#include "frontend/compiler/joins.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <array>
#include <map>
#include <set>

#include <rapidcheck/gtest.h>

#include "frontend/compiler/control_flow.h"
#include "frontend/compiler/loop_shapes.h"
#include "tests/frontend/compiler/small_function.h"
#include "tests/frontend/compiler/small_warp.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallFunction;
using compiler::testing::SmallWarp;

/// Phases of any branches, loops with any number of entries and early returns, with a barrier behind each, which may
/// lead back to an earlier phase.
class RandomFunction : public SmallFunction {
 public:
  RandomFunction() {
    const auto phases = *rc::gen::inRange<unsigned>(1, 4);
    last_ = function.add_block();
    empty_end_ = *rc::gen::arbitrary<bool>();
    if (!empty_end_) {
      ir.set_block(last_);
      keep(constant_argument(1));
    }
    BlockIndex from = 0;
    std::vector<BlockIndex> starts;
    for (unsigned phase = 0; phase < phases; ++phase) {
      const BlockIndex barrier = function.add_block();
      starts.push_back(add_phase(barrier));
      function.jump(from, starts.back());
      from = end_phase(barrier, starts);
    }
    function.jump(from, add_phase(last_));
    simplify_control_flow(function);
    give_cycles_one_entry(function);
    separate_nested_loops(function);
    announce_joins(function);
    verify_ir(function, "a test");
  }

  std::string run(std::uint32_t seed) const {
    std::array<int, SmallWarp::lanes> fuel{};
    fuel.fill(25);
    std::map<NodeIndex, unsigned> turns;
    std::uint32_t state = seed;
    SmallWarp warp(function, [&](NodeIndex node, std::uint32_t lane) -> std::uint32_t {
      if (repeats_.count(node) != 0) return ++turns[node] < 3 ? 1 : 0;
      if (function.nodes[node].operation == IrOperation::load) return (seed >> (node % 32)) & 1U;
      state = state * 1664525U + 1013904223U;
      return fuel[lane]-- > 0 ? state >> 31 : forward_.at(node);
    });
    return warp.run();
  }

 private:
  BlockIndex add_phase(BlockIndex end) {
    const auto count = *rc::gen::inRange<BlockIndex>(1, 8);
    std::vector<BlockIndex> blocks;
    for (BlockIndex i = 0; i < count; ++i) blocks.push_back(function.add_block());
    blocks.push_back(end);
    for (BlockIndex i = 0; i < count; ++i) end_block(blocks, i);
    return blocks[0];
  }

  /// One way leads forward, so that all lanes can end.
  void end_block(const std::vector<BlockIndex>& blocks, BlockIndex i) {
    const auto count = static_cast<BlockIndex>(blocks.size());
    const BlockIndex forward = blocks[*rc::gen::inRange<BlockIndex>(i + 1, count)];
    const auto kind = *rc::gen::inRange(0, 12);
    const bool uniform = kind == 0;
    BlockIndex other = blocks[*rc::gen::inRange<BlockIndex>(uniform ? i + 1 : 0, count)];
    if (kind == 1) other = last_;
    if (kind == 2) function.jump(other = function.add_block(), last_);
    if (kind == 2) give_work(other);
    if (other == forward || kind == 3) return function.jump(blocks[i], forward);
    ir.set_block(blocks[i]);
    const IrArgument condition = uniform ? unknown() : thread();
    const bool taken = *rc::gen::arbitrary<bool>();
    if (!uniform) forward_[function.values[condition.value].node] = taken ? 1 : 0;
    function.branch(blocks[i], condition, taken ? forward : other, taken ? other : forward);
  }

  void give_work(BlockIndex block) {
    ir.set_block(block);
    keep(constant_argument(2));
  }

  /// Behind the barrier: perhaps to an earlier phase, all lanes together.
  BlockIndex end_phase(BlockIndex barrier, const std::vector<BlockIndex>& starts) {
    IrNode node;
    node.operation = IrOperation::barrier;
    function.append(barrier, node, 0);
    if (!*rc::gen::arbitrary<bool>()) return barrier;
    ir.set_block(barrier);
    const IrArgument again = unknown();
    repeats_.insert(function.values[again.value].node);
    const BlockIndex on = function.add_block();
    give_work(on);
    function.branch(barrier, again, starts[*rc::gen::inRange<std::size_t>(0, starts.size())], on);
    return on;
  }

  BlockIndex last_ = no_block;
  bool empty_end_ = false;
  std::map<NodeIndex, std::uint32_t> forward_{};  ///< thread_index: which value leads forward
  std::set<NodeIndex> repeats_{};
};

RC_GTEST_PROP(JoinsOfRandomGraphs, lanes_are_together_at_barriers, ()) {
  for (int graph = 0; graph < 10; ++graph) {
    const RandomFunction random;
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    for (std::uint32_t run = 0; run < 8; ++run) {
      const std::string problem = random.run(seed + run * 2654435761U);
      if (!problem.empty()) RC_FAIL(problem + "\n" + print_ir(random.function));
    }
  }
}

/// Blocks by number; lanes go where the test says.
struct Graph : SmallFunction {
  explicit Graph(BlockIndex blocks) {
    while (function.blocks.size() < blocks) (void)function.add_block();
  }
  void parts(BlockIndex from, BlockIndex taken, BlockIndex other) {
    ir.set_block(from);
    function.branch(from, thread(), taken, other);
  }
  void barrier(BlockIndex block) {
    IrNode node;
    node.operation = IrOperation::barrier;
    function.append(block, node, 0);
  }
  /// `way`: is the branch taken, by lane and time?
  template <typename Way>
  std::string walk(const Way& way) const {
    std::array<unsigned, SmallWarp::lanes> turn{};
    SmallWarp warp(function, [&](NodeIndex, std::uint32_t lane) { return way(lane, turn[lane]++) ? 1U : 0U; });
    return warp.run();
  }
};

/// What lanes take, a bit for each branch that they come to.
bool by_bits(std::uint32_t lane, unsigned turn) {
  return ((0x2c5a96e1U * (lane + 1)) >> (turn % 29) & 1U) != 0;
}

TEST(Joins, AnEarlyReturnWithinABranchLeavesTheOthersTogether) {
  // 0 parts; on one way, 1, some return; the others go on to 2, and all that are left come to the barrier.
  Graph graph(5);
  graph.parts(0, 1, 3);
  graph.parts(1, 4, 2);
  graph.keep(constant_argument(1));
  graph.function.jump(2, 3);
  graph.barrier(3);
  graph.function.jump(3, 4);
  announce_joins(graph.function);
  EXPECT_EQ(graph.function.blocks[0].announces, std::vector<BlockIndex>{3});
  EXPECT_TRUE(graph.function.blocks[3].joins);
  EXPECT_EQ(graph.walk(by_bits), "");
}

TEST(Joins, NobodyMeetsAtAnEmptyEnd) {
  Graph graph(4);
  graph.parts(0, 1, 2);
  for (const BlockIndex side : {1U, 2U}) {
    graph.ir.set_block(side);
    graph.keep(constant_argument(side));
    graph.function.jump(side, 3);
  }
  announce_joins(graph.function);
  EXPECT_EQ(graph.function.blocks[0].announces.size(), 0U);
  EXPECT_FALSE(graph.function.blocks[3].joins);
}

TEST(Joins, ALoopIsLeftFromAShortCycleWithinIt) {
  // 1 -> 2 -> 3 -> 1, a short cycle of 2 and 3, and all leave from 2 at different turns.
  Graph graph(5);
  graph.parts(0, 4, 1);
  graph.function.jump(1, 2);
  graph.parts(2, 4, 3);
  graph.parts(3, 2, 1);
  graph.barrier(4);
  give_cycles_one_entry(graph.function);
  separate_nested_loops(graph.function);
  announce_joins(graph.function);
  EXPECT_EQ(graph.walk(by_bits), "");
  EXPECT_EQ(graph.walk([](std::uint32_t lane, unsigned turn) { return turn > 3 * lane; }), "");
}

TEST(Joins, ALoopThatThreadsLeaveOnlyToEndMeetsAtItsBarrier) {
  // 1 parts to 2 or at once to the barrier, 3, behind which some end and the others go round.
  Graph graph(5);
  graph.function.jump(0, 1);
  graph.parts(1, 2, 3);
  graph.ir.set_block(2);
  graph.keep(constant_argument(1));
  graph.function.jump(2, 3);
  graph.barrier(3);
  graph.parts(3, 4, 1);
  announce_joins(graph.function);
  EXPECT_EQ(graph.function.blocks[1].announces, std::vector<BlockIndex>{3});
  EXPECT_EQ(graph.walk(by_bits), "");
}

}  // namespace
}  // namespace teslasim::compiler
