// SPDX-License-Identifier: Apache-2.0
// Which values only address s[] and l[].
#include "frontend/compiler/near_addresses.h"

#include <gtest/gtest.h>

#include <vector>

#include "frontend/compiler/simplify.h"
#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallFunction;
using Op = IrOperation;

struct Accesses : SmallFunction {
  void store(IrSpace space, const IrArgument& address, const IrArgument& value) {
    IrNode node;
    node.operation = Op::store;
    node.space = space;
    node.arguments = {address, value};
    ir.append(node, 0);
  }
  [[nodiscard]] bool is_near(const IrArgument& value) const { return NearAddresses(function).contains(value.value); }
};

TEST(NearAddressesOf, SharedAndLocalMemoryAndWhatTheyAreMadeOf) {
  for (const IrSpace space : {IrSpace::shared, IrSpace::local}) {
    Accesses small;
    const IrArgument thread = small.thread(), row = small.unknown();
    const IrArgument scaled = small.ir.emit(Op::multiply, {row, constant_argument(68)});
    const IrArgument shifted = small.ir.shift_left(thread, 2);
    const IrArgument address = small.ir.add(scaled, shifted);
    small.store(space, address, small.load(space, small.ir.add(address, constant_argument(4))));
    for (const IrArgument& one : {thread, row, scaled, shifted, address}) EXPECT_TRUE(small.is_near(one));
  }
}

TEST(NearAddressesOf, DeviceAndConstantMemoryHaveOffsetsToo) {
  for (const IrSpace space : {IrSpace::global, IrSpace::constant}) {
    Accesses small;
    const IrArgument address = small.thread();
    small.keep(small.load(space, address));
    EXPECT_FALSE(small.is_near(address));
  }
}

TEST(NearAddressesOf, AValueThatIsStoredIsNone) {
  Accesses small;
  const IrArgument address = small.ir.shift_left(small.thread(), 2), value = small.unknown();
  small.store(IrSpace::shared, address, value);
  EXPECT_TRUE(small.is_near(address));
  EXPECT_FALSE(small.is_near(value));
}

TEST(NearAddressesOf, OneOtherUseIsEnough) {
  Accesses small;
  const IrArgument thread = small.thread();
  const IrArgument shifted = small.ir.shift_left(thread, 2);
  const IrArgument address = small.ir.add(shifted, constant_argument(16));
  small.keep(small.load(IrSpace::shared, address));
  small.keep(shifted);
  EXPECT_TRUE(small.is_near(address)) << "made of it, but read by the access alone";
  EXPECT_FALSE(small.is_near(shifted));
  EXPECT_FALSE(small.is_near(thread)) << "what is made of it is stored";
}

TEST(NearAddressesOf, WhatIsNoSumOrMultipleEnds) {
  Accesses small;
  const IrArgument thread = small.thread(), count = small.unknown();
  const IrArgument masked = small.ir.bit_and(thread, 15);
  small.keep(small.load(IrSpace::shared, masked));
  const IrArgument by_count = small.ir.emit(Op::shift_left, {small.unknown(), count});
  small.keep(small.load(IrSpace::shared, by_count));
  EXPECT_TRUE(small.is_near(masked));
  EXPECT_FALSE(small.is_near(thread));
  EXPECT_FALSE(small.is_near(count));
}

TEST(NearAddressesOf, AConditionIsNone) {
  Accesses small;
  const IrArgument address = small.unknown();
  small.keep(small.load(IrSpace::shared, address));
  const BlockIndex side = small.function.add_block(), end = small.function.add_block();
  small.function.branch(0, address, side, end);
  small.function.jump(side, end);
  EXPECT_FALSE(small.is_near(address));
}

/// So many that the function grows again and again while they are looked at.
TEST(NearAddressesOf, ConstantsMoveOutOfAllProducts) {
  Accesses small;
  constexpr unsigned accesses = 300;
  std::vector<IrArgument> values;
  for (unsigned i = 0; i < accesses; ++i) {
    const IrArgument place = small.ir.add(small.unknown(), constant_argument(i + 1));
    values.push_back(small.load(IrSpace::shared, small.ir.emit(Op::multiply, {place, constant_argument(12)})));
    small.keep(values.back());
  }
  EXPECT_TRUE(simplify(small.function));
  verify_ir(small.function, "simplify");
  for (unsigned i = 0; i < accesses; ++i) {
    const IrNode& sum = *small.function.source(small.function.source(values[i])->arguments[0]);
    ASSERT_EQ(sum.operation, Op::add);
    EXPECT_EQ(sum.arguments[1], constant_argument(12 * (i + 1)));
    EXPECT_EQ(small.function.source(sum.arguments[0])->operation, Op::multiply);
  }
}

}  // namespace
}  // namespace teslasim::compiler
