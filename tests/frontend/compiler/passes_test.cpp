// SPDX-License-Identifier: Apache-2.0
// Datasheet of the passes: what each makes of a few operations.
#include "frontend/compiler/passes.h"

#include <gtest/gtest.h>

#include "frontend/compiler/common_subexpressions.h"
#include "frontend/compiler/dead_code.h"
#include "frontend/compiler/divergence.h"
#include "frontend/compiler/edges.h"
#include "frontend/compiler/known_bits.h"
#include "frontend/compiler/loop_shapes.h"
#include "frontend/compiler/lower_products.h"
#include "frontend/compiler/simplify.h"
#include "sim/base/diagnostic.h"
#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallFunction;
using Op = IrOperation;

/// Until nothing changes any more, as the passes are run.
void simplify_all(SmallFunction& small) {
  while (simplify(small.function)) {
  }
  verify_ir(small.function, "simplify");
}

TEST(Simplify, ConstantsAreComputed) {
  SmallFunction small;
  small.keep(small.ir.add(small.ir.shift_left(constant_argument(3), 4), constant_argument(2)));
  simplify_all(small);
  EXPECT_EQ(small.kept(), constant_argument(50));
}

TEST(Simplify, ShiftsByMoreThanAWordClearIt) {
  SmallFunction small;
  small.keep(small.ir.shift_right(small.unknown(), 40));
  simplify_all(small);
  EXPECT_EQ(small.kept(), constant_argument(0));
}

TEST(Simplify, ProductsByPowersOfTwoAreShifts) {
  SmallFunction small;
  const IrArgument x = small.unknown();
  small.keep(small.ir.emit(Op::multiply, {x, constant_argument(64)}));
  simplify_all(small);
  const IrNode* made = small.function.source(small.kept());
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->operation, Op::shift_left);
  EXPECT_EQ(made->arguments[0], x);
  EXPECT_EQ(made->arguments[1], constant_argument(6));
}

TEST(Simplify, SumsOfConstantsBecomeOne) {
  SmallFunction small;
  const IrArgument x = small.unknown();
  small.keep(small.ir.add(small.ir.add(x, constant_argument(5)), constant_argument(~0U)));
  simplify_all(small);
  const IrNode* made = small.function.source(small.kept());
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->arguments[0], x);
  EXPECT_EQ(made->arguments[1], constant_argument(4)) << "and wrap around";
}

TEST(CommonSubexpressions, EqualOnesAreComputedOnce) {
  SmallFunction small;
  const IrArgument x = small.unknown(), y = small.unknown();
  small.keep(small.ir.emit(Op::bit_xor, {small.ir.add(x, y), small.ir.emit(Op::multiply, {small.ir.add(y, x), x})}));
  EXPECT_TRUE(eliminate_common_subexpressions(small.function));
  eliminate_dead_code(small.function);
  verify_ir(small.function, "cse");
  EXPECT_EQ(small.count(Op::add), 1) << "sums commute";
}

TEST(CommonSubexpressions, DifferencesDoNotCommute) {
  SmallFunction small;
  const IrArgument x = small.unknown(), y = small.unknown();
  small.keep(small.ir.add(small.ir.subtract(x, y), small.ir.subtract(y, x)));
  (void)eliminate_common_subexpressions(small.function);
  eliminate_dead_code(small.function);
  EXPECT_EQ(small.count(Op::subtract), 2);
}

TEST(DeadCode, WhatNobodyReadsGoesAndWhatWritesStays) {
  SmallFunction small;
  const IrArgument x = small.unknown();
  (void)small.ir.add(x, constant_argument(1));
  small.keep(constant_argument(7));
  eliminate_dead_code(small.function);
  EXPECT_EQ(small.count(Op::add), 0);
  EXPECT_EQ(small.count(Op::load), 0);
  EXPECT_EQ(small.count(Op::store), 1);
}

TEST(KnownBitsOf, MasksAndShifts) {
  SmallFunction small;
  const IrArgument masked = small.ir.bit_and(small.unknown(), 0xf0);
  const IrArgument shifted = small.ir.shift_left(masked, 8);
  const IrArgument any = small.unknown();
  const KnownBits bits(small.function);
  EXPECT_EQ(bits.possible(constant_argument(9)), 9U);
  EXPECT_EQ(bits.possible(masked) & ~0xf0U, 0U);
  EXPECT_EQ(bits.possible(shifted) & ~0xf000U, 0U);
  EXPECT_EQ(bits.possible(any), ~0U);
}

TEST(LowerProducts, SixteenBitsTakeOneMultiplier) {
  SmallFunction narrow, whole;
  const IrArgument x = narrow.ir.bit_and(narrow.unknown(), 0xffff), y = narrow.ir.bit_and(narrow.unknown(), 0xffff);
  narrow.keep(narrow.ir.emit(Op::multiply, {x, y}));
  whole.keep(whole.ir.emit(Op::multiply, {whole.unknown(), whole.unknown()}));
  for (SmallFunction* small : {&narrow, &whole}) {
    lower_products(small->function);
    eliminate_dead_code(small->function);
    verify_ir(small->function, "products");
    EXPECT_EQ(small->count(Op::multiply), 0);
  }
  EXPECT_LT(narrow.function.blocks[0].nodes.size() - 2, whole.function.blocks[0].nodes.size());
}

/// 0 -> 1 or 2, 1 -> 2.
struct Triangle : SmallFunction {
  explicit Triangle(bool by_thread) {
    const IrArgument condition = by_thread ? thread() : unknown();
    const BlockIndex side = function.add_block(), end = function.add_block();
    function.branch(0, condition, side, end);
    function.jump(side, end);
  }
};

TEST(DivergenceOf, BranchesOnTheThreadPartThemAndOthersDoNot) {
  const Triangle parted(true), together(false);
  EXPECT_TRUE(Divergence(parted.function).parts(0));
  EXPECT_FALSE(Divergence(together.function).parts(0));
}

/// 1 parts; 2 and, by a way of which some end, 4 choose in 3, and all go round by a barrier.
TEST(DivergenceOf, ALoopThatIsLeftOnlyToEndPartsWhatItsBranchesChoose) {
  SmallFunction small;
  IrFunction& function = small.function;
  for (int block = 0; block < 6; ++block) (void)function.add_block();
  function.jump(0, 1);
  small.ir.set_block(1);
  function.branch(1, small.thread(), 2, 5);
  function.jump(2, 3);
  function.jump(4, 3);
  small.ir.set_block(5);
  function.branch(5, small.thread(), 4, 6);
  small.ir.set_block(3);
  const IrArgument chosen = small.ir.emit(Op::phi, {constant_argument(0), constant_argument(1)});
  IrNode barrier;
  barrier.operation = Op::barrier;
  small.ir.append(barrier, 0);
  function.jump(3, 1);
  verify_ir(function, "a test");
  EXPECT_TRUE(Divergence(function).differs(chosen));
}

TEST(Edges, OnesToPhisGetABlockWhereTheyBranch) {
  Triangle plain(true), triangle(true);
  triangle.ir.set_block(2);
  (void)triangle.ir.emit(Op::phi, {constant_argument(1), constant_argument(2)});
  for (Triangle* one : {&plain, &triangle}) {
    split_critical_edges(one->function);
    verify_ir(one->function, "edges");
  }
  EXPECT_EQ(plain.function.blocks.size(), 3U) << "nothing is to be assigned";
  ASSERT_EQ(triangle.function.blocks.size(), 4U);
  EXPECT_EQ(triangle.function.blocks[0].end.target[1], 3U);
  EXPECT_EQ(triangle.function.blocks[3].end.target[0], 2U);
}

/// A loop around a block that goes back to itself: 0 -> 1, 1 -> 1 or 2, 2 -> 1 or 3.
TEST(SeparateNestedLoops, TheOuterOneGetsAHeader) {
  SmallFunction small;
  IrFunction& function = small.function;
  const IrArgument inner = small.thread(), outer = small.unknown();
  const BlockIndex both = function.add_block(), behind = function.add_block(), end = function.add_block();
  function.jump(0, both);
  function.branch(both, inner, both, behind);
  function.branch(behind, outer, both, end);
  separate_nested_loops(function);
  verify_ir(function, "loops");
  ASSERT_EQ(function.blocks.size(), 5U);
  EXPECT_EQ(function.blocks[0].end.target[0], 4U);
  EXPECT_EQ(function.blocks[4].end.target[0], both);
  EXPECT_EQ(function.blocks[both].end.target[0], both) << "the inner loop stays";
  EXPECT_EQ(function.blocks[behind].end.target[0], 4U);
}

/// 0 -> 1 or 2, which go to each other and on: 1 -> 2 or 3, 2 -> 1.
TEST(GiveCyclesOneEntry, WhatIsEnteredTwiceGetsABlockThatDispatches) {
  SmallFunction small;
  IrFunction& function = small.function;
  const IrArgument way = small.thread(), on = small.unknown();
  const BlockIndex left = function.add_block(), right = function.add_block(), end = function.add_block();
  function.branch(0, way, left, right);
  function.branch(left, on, right, end);
  function.jump(right, left);
  small.ir.set_block(left);
  const IrArgument met = small.ir.emit(Op::phi, {constant_argument(7), constant_argument(8)});
  small.keep(met);
  give_cycles_one_entry(function);
  verify_ir(function, "loops");
  const FlowGraph graph = function.graph();
  ASSERT_EQ(graph.predecessors(left).size(), 1U);
  const BlockIndex dispatches = graph.predecessors(left)[0];
  EXPECT_EQ(graph.predecessors(right), std::vector<BlockIndex>{dispatches});
  EXPECT_EQ(graph.predecessors(dispatches).size(), 4U) << "two ways to each";
  EXPECT_EQ(small.count(Op::phi), 2) << "that of the left one, and the way to take";
  const std::size_t blocks = function.blocks.size();
  give_cycles_one_entry(function);
  EXPECT_EQ(function.blocks.size(), blocks) << "nothing is left to do";
}

TEST(VerifyIr, FindsAUseBeforeItsDefinition) {
  SmallFunction small;
  const IrArgument x = small.unknown();
  small.keep(small.ir.add(x, constant_argument(1)));
  verify_ir(small.function, "nothing");
  std::swap(small.function.blocks[0].nodes[0], small.function.blocks[0].nodes[1]);
  EXPECT_THROW(verify_ir(small.function, "a test"), InternalError);
}

TEST(VerifyIr, FindsAMissingArgument) {
  SmallFunction small;
  small.keep(small.ir.add(small.unknown(), small.unknown()));
  for (IrNode& node : small.function.nodes) {
    if (node.operation == Op::add) node.arguments.pop_back();
  }
  EXPECT_THROW(verify_ir(small.function, "a test"), InternalError);
}

TEST(VerifyIr, FindsPredecessorsThatDoNotMatch) {
  Triangle triangle(false);
  triangle.function.blocks[2].predecessors.pop_back();
  EXPECT_THROW(verify_ir(triangle.function, "a test"), InternalError);
}

}  // namespace
}  // namespace teslasim::compiler
