// SPDX-License-Identifier: Apache-2.0
// Datasheet of the reduction of strength: which products of a loop's counter become sums.
#include "frontend/compiler/loop_products.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/compiler/address_growth.h"
#include "frontend/compiler/fold_constants.h"
#include "frontend/compiler/loop_frame.h"
#include "tests/frontend/compiler/counted_loop.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::CountedLoop;
using Op = IrOperation;

/// The counter goes from 5 in steps of 3.
struct GrowingLoop : CountedLoop {
  IrArgument factor{}, base{};

  GrowingLoop() : CountedLoop(5, 3, 90) {
    ir.set_block(0);
    factor = unknown();
    base = unknown();
    ir.set_block(body);
  }
  /// What the body's first store keeps.
  [[nodiscard]] const IrArgument& kept_in_body() const {
    for (const NodeIndex node : function.blocks[body].nodes) {
      if (function.nodes[node].operation == Op::store) return function.nodes[node].arguments[1];
    }
    return counter;
  }
  [[nodiscard]] const IrNode& phi_kept() const { return *function.source(kept_in_body()); }
  /// The value of a tree over constants, `factor` and `base`.
  [[nodiscard]] std::uint32_t value_of(const IrArgument& argument, std::uint32_t factor_is,
                                       std::uint32_t base_is) const {
    if (argument.is_constant()) return argument.constant;
    if (argument == factor) return factor_is;
    if (argument == base) return base_is;
    IrNode node = *function.source(argument);
    for (IrArgument& one : node.arguments) one = constant_argument(value_of(one, factor_is, base_is));
    return folded(node).value();
  }
  /// Reduces, and compares start and step of what is kept with the same expression of `counter`.
  template <typename Expression>
  void expect_grows_as(const Expression& expression) {
    ASSERT_TRUE(reduce_loop_products(function, most_carried));
    verify_ir(function, "strength");
    ASSERT_EQ(phi_kept().operation, Op::phi);
    for (const std::uint32_t factor_is : {0U, 1U, 7U, 0xfffffffdU}) {
      constexpr std::uint32_t base_is = 0x40;
      const IrNode& sum = *function.source(phi_kept().arguments[1]);
      EXPECT_EQ(expression(5U, factor_is, base_is), value_of(phi_kept().arguments[0], factor_is, base_is));
      EXPECT_EQ(sum.operation, Op::add);
      EXPECT_EQ(expression(8U, factor_is, base_is) - expression(5U, factor_is, base_is),
                value_of(sum.arguments[1], factor_is, base_is));
      EXPECT_TRUE(stands_in(phi_kept().arguments[1], body));
    }
  }
};

TEST(LoopProducts, AProductOfTheCounterGrows) {
  GrowingLoop loop;
  loop.keep(loop.ir.emit(Op::multiply, {loop.counter, loop.factor}));
  loop.finish();
  loop.expect_grows_as([](std::uint32_t i, std::uint32_t factor, std::uint32_t) { return i * factor; });
}

TEST(LoopProducts, TheAddressMadeOfItGrows) {
  GrowingLoop loop;
  const IrArgument row = loop.ir.emit(Op::multiply, {loop.factor, loop.ir.add(loop.counter, constant_argument(2))});
  loop.keep(loop.ir.add(loop.base, loop.ir.shift_left(loop.ir.add(row, loop.base), 2)));
  loop.finish();
  loop.expect_grows_as([](std::uint32_t i, std::uint32_t factor, std::uint32_t base) {
    return base + (((i + 2) * factor + base) << 2U);
  });
}

TEST(LoopProducts, ItMayShrink) {
  GrowingLoop loop;
  loop.keep(loop.ir.subtract(loop.base, loop.ir.emit(Op::multiply, {loop.counter, loop.factor})));
  loop.finish();
  loop.expect_grows_as([](std::uint32_t i, std::uint32_t factor, std::uint32_t base) { return base - i * factor; });
}

TEST(LoopProducts, ProductsOfProductsGrowOnce) {
  GrowingLoop loop;
  const IrArgument row = loop.ir.emit(Op::multiply, {loop.counter, loop.factor});
  loop.keep(loop.ir.emit(Op::multiply, {row, loop.base}));
  loop.finish();
  loop.expect_grows_as([](std::uint32_t i, std::uint32_t factor, std::uint32_t base) { return i * factor * base; });
  const auto& nodes = loop.function.blocks[loop.body].nodes;
  EXPECT_EQ(2, std::count_if(nodes.begin(), nodes.end(),
                             [&](NodeIndex node) { return loop.function.nodes[node].operation == Op::phi; }));
}

TEST(LoopProducts, WhatSeveralReadGrowsAsFarAsTheyShareIt) {
  GrowingLoop loop;
  const IrArgument row = loop.ir.emit(Op::multiply, {loop.counter, loop.factor});
  loop.keep(row);
  loop.keep(loop.ir.add(row, loop.base));
  loop.finish();
  loop.expect_grows_as([](std::uint32_t i, std::uint32_t factor, std::uint32_t) { return i * factor; });
}

/// Where the body loads from.
struct LoadingLoop : GrowingLoop {
  IrArgument load(const IrArgument& address, IrSpace space) {
    IrNode node;
    node.operation = Op::load;
    node.space = space;
    node.arguments = {address};
    return ir.add_node(std::move(node));
  }
};

TEST(LoopProducts, AddressesOfGlobalMemoryGrowWithoutAProduct) {
  LoadingLoop loop;
  const IrArgument word = loop.ir.shift_left(loop.ir.add(loop.counter, loop.factor), 2);
  const IrArgument value = loop.load(loop.ir.add(word, loop.base), IrSpace::global);
  loop.keep(value);
  loop.finish();
  ASSERT_TRUE(reduce_loop_products(loop.function, most_carried));
  verify_ir(loop.function, "strength");
  const IrNode& address = *loop.function.source(loop.function.source(value)->arguments[0]);
  ASSERT_EQ(address.operation, Op::phi);
  EXPECT_EQ(loop.value_of(address.arguments[0], 100, 7), ((5U + 100) << 2U) + 7);
  EXPECT_EQ(loop.value_of(loop.function.source(address.arguments[1])->arguments[1], 100, 7), 3U << 2U);
}

TEST(LoopProducts, AddressesOfNearMemoryGrowWhereThatSavesAnInstruction) {
  for (const IrSpace space : {IrSpace::shared, IrSpace::local, IrSpace::constant}) {
    LoadingLoop loop;
    const IrArgument value = loop.load(loop.ir.add(loop.ir.shift_left(loop.counter, 6), loop.base), space);
    loop.keep(value);
    loop.finish();
    ASSERT_TRUE(reduce_loop_products(loop.function, most_carried));
    verify_ir(loop.function, "strength");
    const IrNode& address = *loop.function.source(loop.function.source(value)->arguments[0]);
    ASSERT_EQ(address.operation, Op::phi);
    EXPECT_EQ(loop.value_of(address.arguments[0], 0, 7), (5U << 6U) + 7);
    EXPECT_EQ(loop.value_of(loop.function.source(address.arguments[1])->arguments[1], 0, 7), 3U << 6U);
  }
}

/// The only access through it moves the address on for nothing.
TEST(LoopProducts, NearAddressesOfOneAccessGrow) {
  for (const bool from_base : {false, true}) {
    LoadingLoop loop;
    const IrArgument word = from_base ? loop.ir.add(loop.counter, loop.base) : loop.counter;
    const IrArgument value = loop.load(loop.ir.shift_left(word, 2), IrSpace::shared);
    loop.keep(value);
    loop.finish();
    ASSERT_TRUE(reduce_loop_products(loop.function, most_carried));
    verify_ir(loop.function, "strength");
    EXPECT_EQ(loop.function.source(loop.function.source(value)->arguments[0])->operation, Op::phi);
  }
}

/// What sets an address register shifts: one instruction, as many as it takes to move it on.
TEST(LoopProducts, NearAddressesThatAreShiftedLastStay) {
  LoadingLoop farther;
  farther.keep(farther.load(farther.ir.shift_left(farther.counter, 6), IrSpace::shared));  // further than operands step
  farther.finish();
  EXPECT_FALSE(reduce_loop_products(farther.function, most_carried));
  LoadingLoop twice;
  const IrArgument address = twice.ir.shift_left(twice.counter, 2);
  twice.keep(twice.load(address, IrSpace::shared));
  twice.keep(twice.load(twice.ir.add(address, constant_argument(0x40)), IrSpace::shared));
  twice.finish();
  EXPECT_FALSE(reduce_loop_products(twice.function, most_carried));
}

TEST(LoopProducts, NearAccessesAddTheirConstantsToOneAddress) {
  LoadingLoop loop;
  const IrArgument row = loop.ir.add(loop.ir.shift_left(loop.counter, 6), loop.base);
  const IrArgument first = loop.load(loop.ir.add(row, constant_argument(0x40)), IrSpace::shared);
  const IrArgument second = loop.load(loop.ir.add(row, constant_argument(0x80)), IrSpace::shared);
  loop.keep(loop.ir.add(first, second));
  loop.finish();
  ASSERT_TRUE(reduce_loop_products(loop.function, most_carried));
  const auto base_of = [&](const IrArgument& value) {
    return loop.function.source(loop.function.source(value)->arguments[0])->arguments[0];
  };
  EXPECT_EQ(base_of(first), base_of(second));
  EXPECT_EQ(loop.function.source(base_of(first))->operation, Op::phi);
}

TEST(LoopProducts, NearAddressesOfAnOperationThatOthersNeedGrowBesides) {
  LoadingLoop loop;
  const IrArgument word = loop.ir.shift_left(loop.counter, 2);
  const IrArgument value = loop.load(loop.ir.add(word, loop.base), IrSpace::shared);
  loop.keep(value);
  loop.keep(word);
  loop.finish();
  ASSERT_TRUE(reduce_loop_products(loop.function, most_carried));
  EXPECT_EQ(loop.function.source(loop.function.source(value)->arguments[0])->operation, Op::phi);
}

/// General registers would grow besides, which saves nothing.
TEST(LoopProducts, NoMoreNearAddressesGrowThanAddressRegistersAreThere) {
  LoadingLoop loop;
  std::vector<IrArgument> values;
  for (unsigned k = 0; k <= growing_addresses; ++k) {
    const IrArgument word = loop.ir.emit(Op::add, {loop.counter, constant_argument(100 * k + 1)});
    values.push_back(loop.load(loop.ir.shift_left(word, 2), IrSpace::shared));
    loop.keep(values.back());
  }
  loop.finish();
  ASSERT_TRUE(reduce_loop_products(loop.function, most_carried));
  const auto grown = std::count_if(values.begin(), values.end(), [&](const IrArgument& value) {
    return loop.function.source(loop.function.source(value)->arguments[0])->operation == Op::phi;
  });
  EXPECT_EQ(grown, growing_addresses);
}

/// As nvopencc has pointers instead (PTX of 2010 for postProcessGL of NVIDIA's SDK).
TEST(LoopProducts, ShortAddressesTakeThePlaceOfACounterThatNobodyElseReads) {
  LoadingLoop loop;
  const IrArgument other = loop.phi(2);
  loop.grow(other, 1);
  const IrArgument value = loop.load(loop.ir.add(loop.ir.shift_left(other, 2), loop.base), IrSpace::global);
  loop.keep(value);
  loop.finish();
  const std::size_t carried = 3;  // two counters and the base: one counter makes room
  ASSERT_TRUE(reduce_loop_products(loop.function, carried));
  EXPECT_EQ(loop.function.source(loop.function.source(value)->arguments[0])->operation, Op::phi);
}

TEST(LoopProducts, ShortAddressesStay) {
  LoadingLoop loop;
  loop.keep(loop.load(loop.ir.add(loop.ir.shift_left(loop.counter, 2), loop.base), IrSpace::global));
  loop.finish();
  EXPECT_FALSE(reduce_loop_products(loop.function, most_carried));
}

TEST(LoopProducts, CountersThatGrowAlikeAreOne) {
  GrowingLoop loop;
  const IrArgument twin = loop.phi(5), other = loop.phi(6);
  for (const IrArgument& one : {twin, other}) {
    loop.grow(one, 3);
    loop.keep(loop.ir.emit(Op::bit_xor, {one, loop.base}));
  }
  loop.finish();
  ASSERT_TRUE(reduce_loop_products(loop.function, most_carried));
  verify_ir(loop.function, "strength");
  EXPECT_EQ(loop.function.source(loop.kept_in_body())->arguments[0], loop.counter);
  const NodeIndex last = loop.function.blocks[loop.body].nodes.end()[-3];
  EXPECT_EQ(loop.function.source(loop.function.nodes[last].arguments[1])->arguments[0], other);
}

TEST(LoopProducts, ProductsByConstantsStay) {
  GrowingLoop loop;
  loop.keep(loop.ir.emit(Op::multiply, {loop.counter, constant_argument(100)}));
  loop.finish();
  EXPECT_FALSE(reduce_loop_products(loop.function, most_carried));
}

TEST(LoopProducts, ProductsOfWhatDoesNotGrowEvenlyStay) {
  GrowingLoop loop;
  loop.keep(loop.ir.emit(Op::multiply, {loop.ir.emit(Op::bit_xor, {loop.counter, loop.base}), loop.factor}));
  loop.keep(loop.ir.emit(Op::multiply, {loop.counter, loop.counter}));
  loop.finish();
  EXPECT_FALSE(reduce_loop_products(loop.function, most_carried));
}

TEST(LoopProducts, ALoopThatCarriesMuchStaysAsItIs) {
  GrowingLoop loop;
  loop.ir.set_block(0);
  std::vector<IrArgument> words;
  for (unsigned i = 0; i < 13; ++i) words.push_back(loop.unknown());
  loop.ir.set_block(loop.body);
  for (const IrArgument& word : words) loop.keep(loop.ir.emit(Op::bit_xor, {word, loop.counter}));
  loop.keep(loop.ir.emit(Op::multiply, {loop.counter, loop.factor}));
  loop.finish();
  EXPECT_FALSE(reduce_loop_products(loop.function, most_carried));
}

}  // namespace
}  // namespace teslasim::compiler
