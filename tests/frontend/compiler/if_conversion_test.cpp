// SPDX-License-Identifier: Apache-2.0
// Datasheet of if-conversion: which branches become straight code, and what stands there then.
#include "frontend/compiler/if_conversion.h"

#include <gtest/gtest.h>

#include "frontend/compiler/control_flow.h"
#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallFunction;
using Op = IrOperation;

/// `if (thread < 7) { side } rest`: B0 branches to B1, which leads to B2, or to B2.
struct Triangle : SmallFunction {
  IrArgument condition{};
  BlockIndex side = 0, meeting = 0;

  Triangle() {
    side = function.add_block();
    meeting = function.add_block();
    condition = ir.compare(Relations::less, thread(), constant_argument(7), ValueType::u32);
    function.branch(0, condition, side, meeting);
    function.jump(side, meeting);
    ir.set_block(side);
  }
  IrNode& access(Op operation, IrSpace space, std::vector<IrArgument> arguments, unsigned results) {
    IrNode node;
    node.operation = operation;
    node.space = space;
    node.arguments = std::move(arguments);
    return ir.append(std::move(node), results);
  }
  /// The value where the ways meet is kept there.
  void meet(const IrArgument& from_start, const IrArgument& from_side) {
    ir.set_block(meeting);
    IrNode phi;
    phi.operation = Op::phi;
    phi.arguments = {from_start, from_side};
    keep(ir.add_node(std::move(phi)));
  }
  bool convert() {
    const bool changed = convert_branches(function);
    verify_ir(function, "branches");
    simplify_control_flow(function);
    verify_ir(function, "control flow");
    return changed;
  }
};

TEST(IfConversion, WhatThreadsComputeApartIsComputedByAllAndSelected) {
  Triangle small;
  const IrArgument x = small.ir.add(small.thread(), constant_argument(5));
  small.meet(constant_argument(1), x);
  EXPECT_TRUE(small.convert());
  ASSERT_EQ(small.function.blocks[0].end.kind, IrEnd::Kind::jump);
  EXPECT_EQ(small.count(Op::select), 1);
  const NodeIndex last = small.function.blocks[0].nodes.back();
  const IrNode& select = small.function.nodes[last];
  ASSERT_EQ(select.operation, Op::select);
  EXPECT_EQ(select.arguments[0], small.condition);
  EXPECT_EQ(select.arguments[1], x);
  EXPECT_EQ(select.arguments[2], constant_argument(1));
}

TEST(IfConversion, StoresAndLoadsHaveTheConditionAsTheirGuard) {
  Triangle small;
  const IrArgument loaded =
      value_argument(small.access(Op::load, IrSpace::shared, {constant_argument(64)}, 1).results[0]);
  small.access(Op::store, IrSpace::shared, {constant_argument(128), loaded}, 0);
  small.ir.set_block(small.meeting);
  small.keep(constant_argument(3));
  EXPECT_TRUE(small.convert());
  unsigned guarded = 0;
  for (const NodeIndex index : small.function.blocks[0].nodes) {
    const IrNode& node = small.function.nodes[index];
    if (!node.guarded) continue;
    ++guarded;
    EXPECT_EQ(node.arguments.back(), small.condition);
  }
  EXPECT_EQ(guarded, 2U);
}

TEST(IfConversion, AReadOfAFixedConstantNeedsNoGuard) {
  Triangle small;
  const IrArgument constant = small.unknown();
  small.meet(constant_argument(1), constant);
  EXPECT_TRUE(small.convert());
  EXPECT_FALSE(small.function.source(constant)->guarded);
}

TEST(IfConversion, BarriersStayUnderTheirBranch) {
  Triangle small;
  small.ir.append({.operation = Op::barrier}, 0);
  small.meet(constant_argument(1), constant_argument(2));
  EXPECT_FALSE(small.convert());
  EXPECT_EQ(small.function.blocks[0].end.kind, IrEnd::Kind::branch);
}

TEST(IfConversion, AtomicOperationsStayUnderTheirBranch) {
  Triangle small;
  small.access(Op::atomic, IrSpace::global, {constant_argument(256), constant_argument(1)}, 1);
  small.meet(constant_argument(1), constant_argument(2));
  EXPECT_FALSE(small.convert());
}

TEST(IfConversion, LongWaysStayUnderTheirBranch) {
  Triangle small;
  IrArgument x = small.thread();
  for (unsigned i = 0; i < 12; ++i) x = small.ir.emit(Op::bit_xor, {x, small.thread()});
  small.meet(constant_argument(1), x);
  EXPECT_FALSE(small.convert());
}

TEST(IfConversion, ThreadsThatOnlyEndSkipWhatTheyNeedNotDo) {
  Triangle small;
  IrArgument x = small.thread();
  for (unsigned i = 0; i < 3; ++i) x = small.ir.emit(Op::bit_xor, {x, constant_argument(i + 1)});
  small.keep(x);
  EXPECT_FALSE(small.convert());
}

TEST(IfConversion, TwoConditionsForOnePlaceBecomeOne) {
  // if (a && b) B3 else B2
  SmallFunction small;
  const BlockIndex inner = small.function.add_block(), other = small.function.add_block(),
                   both = small.function.add_block();
  const IrArgument a = small.ir.compare(Relations::less, small.thread(), constant_argument(7), ValueType::u32);
  small.function.branch(0, a, inner, other);
  small.ir.set_block(inner);
  const IrArgument b = small.ir.compare(Relations::equal, small.thread(), constant_argument(3), ValueType::u32);
  small.function.branch(inner, b, both, other);
  for (const BlockIndex block : {both, other}) {
    small.ir.set_block(block);
    small.ir.append({.operation = Op::barrier}, 0);
    small.keep(constant_argument(block));
  }
  EXPECT_TRUE(convert_branches(small.function));
  verify_ir(small.function, "branches");
  const IrEnd& end = small.function.blocks[0].end;
  EXPECT_EQ(end.target[0], both);
  EXPECT_EQ(end.target[1], other);
  const IrNode* joined = small.function.source(end.condition);
  ASSERT_NE(joined, nullptr);
  EXPECT_EQ(joined->operation, Op::bit_and);
  EXPECT_EQ(joined->arguments[0], a);
  EXPECT_EQ(joined->arguments[1], b);
}

}  // namespace
}  // namespace teslasim::compiler
