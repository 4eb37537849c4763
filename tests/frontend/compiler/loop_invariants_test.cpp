// SPDX-License-Identifier: Apache-2.0
// Datasheet of the motion of invariants: what leaves a loop.
#include "frontend/compiler/loop_invariants.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/counted_loop.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::CountedLoop;
using Op = IrOperation;

TEST(LoopInvariants, WhatIsTheSameInEachTurnIsComputedBefore) {
  CountedLoop loop;
  const IrArgument thread = loop.ir.emit(Op::thread_index, {});
  const IrArgument sum = loop.ir.emit(Op::bit_xor, {constant_argument(3), constant_argument(4)});
  const IrArgument product = loop.ir.emit(Op::multiply_24, {sum, sum}, ValueType::u32);
  loop.keep(product);
  loop.keep(thread);
  loop.finish();
  EXPECT_TRUE(hoist_invariants(loop.function));
  verify_ir(loop.function, "invariants");
  EXPECT_TRUE(loop.stands_in(sum, 0));
  EXPECT_TRUE(loop.stands_in(product, 0));
}

TEST(LoopInvariants, WhatDependsOnTheTurnStays) {
  CountedLoop loop;
  const IrArgument square = loop.ir.emit(Op::multiply_24, {loop.counter, loop.counter}, ValueType::u32);
  loop.keep(square);
  loop.finish();
  EXPECT_FALSE(hoist_invariants(loop.function));
  EXPECT_TRUE(loop.stands_in(square, loop.body));
}

TEST(LoopInvariants, LoadsStay) {
  CountedLoop loop;
  const IrArgument loaded = loop.unknown();
  loop.keep(loaded);
  loop.finish();
  EXPECT_FALSE(hoist_invariants(loop.function));
  EXPECT_TRUE(loop.stands_in(loaded, loop.body));
}

TEST(LoopInvariants, ALoopIsNotFilledWithValues) {
  CountedLoop loop;
  const IrArgument thread = loop.ir.emit(Op::thread_index, {});
  constexpr unsigned values = 40;
  for (unsigned i = 0; i < values; ++i) {
    loop.keep(loop.ir.emit(Op::bit_xor, {constant_argument(i), constant_argument(1)}));
  }
  loop.keep(thread);
  loop.finish();
  EXPECT_TRUE(hoist_invariants(loop.function));
  verify_ir(loop.function, "invariants");
  std::ptrdiff_t left = 0;
  for (const NodeIndex index : loop.function.blocks[loop.body].nodes)
    left += loop.function.nodes[index].operation == Op::bit_xor ? 1 : 0;
  EXPECT_GE(left, 20);
}

}  // namespace
}  // namespace teslasim::compiler
