// SPDX-License-Identifier: Apache-2.0
// Datasheet of products: how many instructions they take, which become part of the sum that reads them, and what upper
// words of 64 bits become.
#include "frontend/compiler/lower_products.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/counted_loop.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::CountedLoop;
using compiler::testing::SmallFunction;
using Op = IrOperation;

/// A word of the launch of 16 bits: the size of a block or of the grid.
IrArgument dimension(SmallFunction& s, std::uint32_t offset) {
  IrNode node;
  node.operation = Op::launch_word;
  node.type = ValueType::u16;
  node.offset = offset;
  return s.ir.add_node(node);
}
void expect_products(SmallFunction& s, std::ptrdiff_t alone, std::ptrdiff_t in_sums) {
  lower_products(s.function);
  EXPECT_EQ(s.count(Op::multiply_16), alone);
  EXPECT_EQ(s.count(Op::multiply_add_16), in_sums);
}

/// nvopencc wrote mul.wide.u16 for blockIdx.x * blockDim.x.
TEST(Products, OfSpecialRegistersHave16Bits) {
  SmallFunction s;
  s.keep(s.ir.emit(Op::multiply, {dimension(s, 2), dimension(s, 12)}));
  expect_products(s, 1, 0);
}

/// blockIdx.x * (blockDim.x * 2)
TEST(Products, OfWhatIsMadeOfSpecialRegistersHave32Bits) {
  SmallFunction s;
  s.keep(s.ir.emit(Op::multiply, {s.ir.shift_left(dimension(s, 2), 1), dimension(s, 12)}));
  expect_products(s, 1, 2);
}

TEST(Products, OfPartsOfTheThreadsIndexAndWordsHave32Bits) {
  SmallFunction s;
  s.keep(s.ir.emit(Op::multiply, {s.ir.bit_and(s.thread(), 0xffff), s.unknown()}));
  expect_products(s, 1, 2);
}

/// Bits that a mask or a sum leaves are no type.
TEST(Products, OfSmallValuesHave32Bits) {
  SmallFunction s;
  s.keep(s.ir.emit(Op::multiply, {s.ir.bit_and(s.unknown(), 15), s.ir.bit_and(s.unknown(), 63)}));
  expect_products(s, 1, 2);
}

TEST(Products, OfLoadedShortWordsHave16Bits) {
  SmallFunction s;
  s.keep(s.ir.emit(Op::multiply, {s.unknown(ValueType::u16), s.unknown(ValueType::u8)}));
  expect_products(s, 1, 0);
}

TEST(Products, ByConstantsTakeAsFewAsValuesAllow) {
  SmallFunction s;
  s.keep(s.ir.emit(Op::multiply, {s.ir.bit_and(s.unknown(), 15), constant_argument(100)}));
  expect_products(s, 1, 0);
}

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

TEST(UpperProducts, take_the_short_way_where_a_factor_has_16_bits) {
  SmallFunction s;
  s.keep(s.ir.emit(Op::multiply_high, {s.unknown(), s.unknown()}, ValueType::u32));
  s.keep(s.ir.emit(Op::multiply_high, {s.ir.bit_and(s.unknown(), 0xffff), s.unknown()}, ValueType::u32));
  lower_products(s.function);
  EXPECT_EQ(s.count(Op::multiply_high), 0);
  EXPECT_EQ(s.count(Op::upper_product), 1);
  EXPECT_EQ(s.count(Op::multiply_add_16), 1);
}

/// The other factor is taken off where one is negative, under a guard later.
TEST(UpperProducts, with_signs_choose_what_is_taken_off) {
  SmallFunction s;
  s.keep(s.ir.emit(Op::multiply_high, {s.unknown(), s.unknown()}, ValueType::s32));
  lower_products(s.function);
  EXPECT_EQ(s.count(Op::select), 2);
  EXPECT_EQ(s.count(Op::subtract), 2);
}

}  // namespace
}  // namespace teslasim::compiler
