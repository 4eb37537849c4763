// SPDX-License-Identifier: Apache-2.0
// Datasheet of fused products: which become part of the sum that reads them.
#include "frontend/compiler/lower_products.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/counted_loop.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::CountedLoop;
using compiler::testing::SmallFunction;
using Op = IrOperation;

TEST(FusedProducts, are_those_that_one_sum_reads) {
  SmallFunction s;
  s.keep(s.ir.emit(Op::float_add, {s.ir.emit(Op::float_multiply, {s.unknown(), s.unknown()}), s.unknown()}));
  const IrArgument twice = s.ir.emit(Op::float_multiply, {s.unknown(), s.unknown()});
  s.keep(s.ir.emit(Op::float_add, {twice, s.unknown()}));
  s.keep(twice);
  fuse_products(s.function, true);
  EXPECT_EQ(s.count(Op::float_multiply_add), 1);
  EXPECT_EQ(s.count(Op::float_add), 1);
}

TEST(FusedProducts, of_floats_need_contraction) {
  SmallFunction s;
  s.keep(s.ir.emit(Op::float_add, {s.ir.emit(Op::float_multiply, {s.unknown(), s.unknown()}), s.unknown()}));
  fuse_products(s.function, false);
  EXPECT_EQ(s.count(Op::float_multiply_add), 0);
}

/// A loop that adds a product of `operation` to an unknown word in each turn; the product stands in it or before it.
struct SummingLoop : CountedLoop {
  SummingLoop(Op operation, Op sum, bool product_in_loop) {
    ir.set_block(product_in_loop ? body : 0);
    const IrArgument product = ir.emit(operation, {unknown(), unknown()});
    ir.set_block(body);
    keep(ir.emit(sum, {product, unknown()}));
    finish();
    fuse_products(function, true);
  }
};

TEST(FusedProducts, stay_out_of_a_loop_that_begins_behind_them) {
  EXPECT_EQ(SummingLoop(Op::float_multiply, Op::float_add, true).count(Op::float_multiply_add), 1);
  EXPECT_EQ(SummingLoop(Op::float_multiply, Op::float_add, false).count(Op::float_multiply_add), 0);
  EXPECT_EQ(SummingLoop(Op::multiply_24, Op::add, true).count(Op::multiply_add_24), 1);
  EXPECT_EQ(SummingLoop(Op::multiply_24, Op::add, false).count(Op::multiply_add_24), 0);
}

TEST(FusedProducts, may_leave_the_loop) {
  CountedLoop loop;
  const IrArgument product = loop.ir.emit(Op::float_multiply, {loop.unknown(), loop.unknown()});
  loop.finish();
  loop.keep(loop.ir.emit(Op::float_add, {product, loop.unknown()}));
  fuse_products(loop.function, true);
  EXPECT_EQ(loop.count(Op::float_multiply_add), 1);
}

}  // namespace
}  // namespace teslasim::compiler
