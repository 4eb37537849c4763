// SPDX-License-Identifier: Apache-2.0
// Datasheet of address steps: which addresses become an earlier one plus a word.
#include "frontend/compiler/address_steps.h"

#include <gtest/gtest.h>

#include <vector>

#include "frontend/compiler/dead_code.h"
#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallFunction;
using Op = IrOperation;

struct Accesses : SmallFunction {
  IrArgument base = unknown(), x = unknown(), y = unknown(), width = unknown();
  std::vector<ValueIndex> loads{};

  IrArgument load(const IrArgument& address, IrSpace space = IrSpace::global) {
    IrNode node;
    node.operation = Op::load;
    node.space = space;
    node.arguments = {address};
    const IrArgument value = ir.add_node(std::move(node));
    loads.push_back(value.value);
    keep(value);
    return value;
  }
  /// base + 4 * ((y + row) * width + x)
  IrArgument element(std::uint32_t row) {
    const IrArgument line = row == 0 ? y : ir.add(y, constant_argument(row));
    const IrArgument index = ir.add(ir.emit(Op::multiply, {line, width}), x);
    return ir.add(base, ir.shift_left(index, 2));
  }
  [[nodiscard]] bool step() {
    const bool changed = step_addresses(function);
    verify_ir(function, "steps");
    eliminate_dead_code(function);
    verify_ir(function, "dead-code");
    return changed;
  }
  [[nodiscard]] const IrNode& address(std::size_t load) const {
    return *function.source(function.definition(loads[load]).arguments[0]);
  }
  [[nodiscard]] const IrArgument& address_of(std::size_t load) const {
    return function.definition(loads[load]).arguments[0];
  }
};

TEST(AddressSteps, TheNextRowIsOneWidthFurther) {
  Accesses accesses;
  for (const std::uint32_t row : {0U, 1U}) accesses.load(accesses.element(row));
  ASSERT_TRUE(accesses.step());
  EXPECT_EQ(accesses.address(1).operation, Op::add);
  EXPECT_EQ(accesses.address(1).arguments[0], accesses.address_of(0));
  EXPECT_EQ(accesses.function.source(accesses.address(1).arguments[1])->operation, Op::shift_left);
  EXPECT_EQ(accesses.count(Op::multiply), 1);
}

TEST(AddressSteps, TheRowAboveIsOneWidthBack) {
  Accesses accesses;
  for (const std::uint32_t row : {0U, ~0U}) accesses.load(accesses.element(row));
  ASSERT_TRUE(accesses.step());
  EXPECT_EQ(accesses.address(1).operation, Op::subtract);
  EXPECT_EQ(accesses.count(Op::multiply), 1);
}

TEST(AddressSteps, AColumnIsAddedUp) {
  Accesses accesses;
  IrArgument index = accesses.x;
  constexpr unsigned rows = 16;
  for (unsigned row = 0; row < rows; ++row) {
    accesses.load(accesses.ir.add(accesses.base, accesses.ir.shift_left(index, 2)));
    index = accesses.ir.add(index, accesses.width);
  }
  ASSERT_TRUE(accesses.step());
  for (std::size_t row = 1; row < rows; ++row)
    EXPECT_EQ(accesses.address(row).arguments[0], accesses.address_of(row - 1)) << row;
}

/// Somebody else reads 4 * (y * width + x), so that the row in the middle costs one addition.
TEST(AddressSteps, RowsStepFromTheOneThatIsThereAnyway) {
  Accesses accesses;
  const IrArgument above = accesses.element(~0U);
  accesses.load(above);
  const IrArgument bytes = accesses.ir.shift_left(
      accesses.ir.add(accesses.ir.emit(Op::multiply, {accesses.y, accesses.width}), accesses.x), 2);
  accesses.load(accesses.ir.add(accesses.base, bytes));
  accesses.keep(bytes);
  ASSERT_TRUE(accesses.step());
  EXPECT_EQ(accesses.address(0).operation, Op::subtract);
  EXPECT_EQ(accesses.address(0).arguments[0], accesses.address_of(1));
}

TEST(AddressSteps, ConstantsOfAccessesDoNotMatter) {
  Accesses accesses;
  for (const std::uint32_t row : {0U, 1U}) {
    const IrArgument address = accesses.element(row);
    for (const std::uint32_t byte : {4U, 8U}) accesses.load(accesses.ir.add(address, constant_argument(byte)));
  }
  ASSERT_TRUE(accesses.step());
  EXPECT_EQ(accesses.count(Op::multiply), 1);
}

TEST(AddressSteps, ShortOnesStay) {
  Accesses accesses;
  accesses.load(accesses.ir.add(accesses.base, accesses.x));
  accesses.load(accesses.ir.add(accesses.base, accesses.y));
  EXPECT_FALSE(accesses.step());
}

TEST(AddressSteps, AShiftForOneStepIsNotWorthIt) {
  Accesses accesses;
  const IrArgument next = accesses.ir.add(accesses.x, accesses.width);
  accesses.keep(next);
  accesses.load(accesses.ir.add(accesses.base, accesses.ir.shift_left(accesses.x, 2)));
  accesses.load(accesses.ir.add(accesses.base, accesses.ir.shift_left(next, 2)));
  EXPECT_FALSE(accesses.step());
}

TEST(AddressSteps, SharedMemoryStays) {
  Accesses accesses;
  for (const std::uint32_t row : {0U, 1U}) accesses.load(accesses.element(row), IrSpace::shared);
  EXPECT_FALSE(accesses.step());
}

TEST(AddressSteps, StepsOfSeveralWordsStay) {
  Accesses accesses;
  for (const std::uint32_t row : {0U, 3U}) accesses.load(accesses.element(row));
  EXPECT_FALSE(accesses.step());
}

TEST(AddressSteps, OtherBlocksDoNotCount) {
  Accesses accesses;
  accesses.load(accesses.element(0));
  const BlockIndex next = accesses.function.add_block();
  accesses.function.jump(0, next);
  accesses.ir.set_block(next);
  accesses.load(accesses.element(1));
  EXPECT_FALSE(accesses.step());
}

}  // namespace
}  // namespace teslasim::compiler
