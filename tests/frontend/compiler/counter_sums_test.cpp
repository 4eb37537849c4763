// SPDX-License-Identifier: Apache-2.0
// Datasheet of sums that LLVM writes as `or`.
#include "frontend/compiler/counter_sums.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/counted_loop.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::CountedLoop;
using Op = IrOperation;

/// From 4 in steps of 8.
TEST(CounterSums, BitsThatACounterNeverHasAreAdded) {
  CountedLoop loop(4, 8, 90);
  loop.ir.set_block(0);
  const IrArgument base = loop.unknown();
  loop.ir.set_block(loop.body);
  const IrArgument below = loop.ir.emit(Op::bit_or, {loop.counter, constant_argument(3)});
  const IrArgument within = loop.ir.emit(Op::bit_or, {loop.counter, constant_argument(4)});
  const IrArgument other = loop.ir.emit(Op::bit_or, {base, constant_argument(3)});
  loop.finish();
  EXPECT_TRUE(write_counter_sums(loop.function));
  EXPECT_EQ(loop.function.source(below)->operation, Op::add);
  EXPECT_EQ(loop.function.source(within)->operation, Op::bit_or);
  EXPECT_EQ(loop.function.source(other)->operation, Op::bit_or);
}

}  // namespace
}  // namespace teslasim::compiler
