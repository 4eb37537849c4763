// SPDX-License-Identifier: Apache-2.0
// Datasheet of test replacement: which loops end by an address instead of a counter.
#include "frontend/compiler/loop_ends.h"

#include <gtest/gtest.h>

#include "frontend/compiler/address_growth.h"
#include "frontend/compiler/dead_code.h"
#include "frontend/compiler/fold_constants.h"
#include "tests/frontend/compiler/counted_loop.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::CountedLoop;
using Op = IrOperation;
constexpr auto not_equal = static_cast<Relations>(5);  ///< less or greater

/// for (counter = 5; ; counter += 3) load(address), address from `first`, until the counter is `limit`.
struct LoadingLoop : CountedLoop {
  IrArgument first{}, limit{}, address{}, next{}, condition{};

  explicit LoadingLoop(std::uint32_t grows = 12) : CountedLoop(5, 3) {
    ir.set_block(0);
    first = unknown();
    limit = unknown();
    ir.set_block(body);
    address = phi(0);
    function.definition(address.value).arguments[0] = first;
    next = ir.add(counter, constant_argument(3));
    function.definition(counter.value).arguments[1] = next;
    grow(address, grows);
  }
  IrNode& load(IrSpace space = IrSpace::global) {
    IrNode node;
    node.operation = Op::load;
    node.space = space;
    node.arguments = {address};
    const IrArgument value = ir.add_node(std::move(node));
    keep(value);
    return function.definition(value.value);
  }
  void load_through_another(IrSpace space) {
    const IrArgument other = phi(0);
    std::vector<NodeIndex>& nodes = function.blocks[body].nodes;
    std::rotate(nodes.begin(), nodes.end() - 1, nodes.end());
    grow(other, 4);
    load(space).arguments[0] = other;
  }
  void end(Relations relations = not_equal) {
    condition = ir.compare(relations, next, limit, ValueType::s32);
    const bool goes_on = !includes(relations, Relations::equal);
    function.branch(body, condition, goes_on ? body : behind, goes_on ? behind : body);
  }
  [[nodiscard]] bool replace() {
    const bool changed = replace_loop_ends(function);
    verify_ir(function, "ends");
    return changed;
  }
  [[nodiscard]] const IrNode& test() const { return function.definition(condition.value); }
  /// The value of a tree over constants, `first` and `limit`.
  [[nodiscard]] std::uint32_t value_of(const IrArgument& argument, std::uint32_t first_is,
                                       std::uint32_t limit_is) const {
    if (argument.is_constant()) return argument.constant;
    if (argument == first) return first_is;
    if (argument == limit) return limit_is;
    IrNode node = *function.source(argument);
    for (IrArgument& one : node.arguments) one = constant_argument(value_of(one, first_is, limit_is));
    return folded(node).value();
  }
};

TEST(LoopEnds, TheAddressBehindTheLastTurnEndsIt) {
  LoadingLoop loop;
  loop.load();
  loop.end();
  ASSERT_TRUE(loop.replace());
  EXPECT_EQ(loop.test().arguments[0], loop.function.definition(loop.address.value).arguments[1]);
  EXPECT_EQ(loop.value_of(loop.test().arguments[1], 0x1000, 5 + 7 * 3), 0x1000U + 7 * 12);
  eliminate_dead_code(loop.function);
  EXPECT_FALSE(loop.stands_in(loop.counter, loop.body));
}

/// They grow in address registers, which nothing compares.
TEST(LoopEnds, AddressesOfNearMemoryAloneDoNotEndIt) {
  for (const IrSpace space : {IrSpace::shared, IrSpace::local, IrSpace::constant}) {
    LoadingLoop loop;
    const IrArgument farther = loop.ir.add(loop.address, constant_argument(0x40));
    loop.load(space).arguments[0] = farther;  // accesses add constants for nothing
    loop.end();
    EXPECT_FALSE(loop.replace());
  }
}

TEST(LoopEnds, AddressesOfNearMemoryThatAreReadOtherwiseEndItToo) {
  LoadingLoop loop;
  loop.load(IrSpace::shared);
  loop.keep(loop.address);
  loop.end();
  ASSERT_TRUE(loop.replace());
  EXPECT_EQ(loop.value_of(loop.test().arguments[1], 0x1000, 5 + 7 * 3), 0x1000U + 7 * 12);
}

/// More than a loop has address registers for.
TEST(LoopEnds, ManyAddressesOfNearMemoryEndItToo) {
  LoadingLoop loop;
  loop.load(IrSpace::shared);
  for (unsigned k = 0; k < growing_addresses; ++k) loop.load_through_another(IrSpace::shared);
  loop.end();
  EXPECT_TRUE(loop.replace());
}

TEST(LoopEnds, TheRelationStays) {
  LoadingLoop loop;
  loop.load();
  loop.end(Relations::equal);
  ASSERT_TRUE(loop.replace());
  EXPECT_EQ(loop.test().compare, Relations::equal);
}

TEST(LoopEnds, AddressesMayShrink) {
  LoadingLoop loop(0U - 6);
  loop.load();
  loop.end();
  ASSERT_TRUE(loop.replace());
  EXPECT_EQ(loop.value_of(loop.test().arguments[1], 0x1000, 5 + 7 * 3), 0x1000U - 7 * 6);
}

TEST(LoopEnds, TheTestStandsBehindTheNextAddress) {
  LoadingLoop loop;
  loop.load();
  loop.condition = loop.ir.compare(not_equal, loop.next, loop.limit, ValueType::u32);
  loop.grow(loop.address, 12);
  loop.function.branch(loop.body, loop.condition, loop.body, loop.behind);
  EXPECT_TRUE(loop.replace());
}

TEST(LoopEnds, ThePartingOfThreadsIsAsBefore) {
  LoadingLoop loop;
  loop.load();
  loop.end();
  loop.function.blocks[loop.body].end.uniform = true;
  ASSERT_TRUE(loop.replace());
  EXPECT_TRUE(loop.function.blocks[loop.body].end.uniform);
}

/// What keeps the counter.
struct KeptCounter : ::testing::Test {
  LoadingLoop loop{};
  void expect_kept() { EXPECT_FALSE(loop.replace()); }
};

TEST_F(KeptCounter, IsRead) {
  loop.load();
  loop.keep(loop.counter);
  loop.end();
  expect_kept();
}

TEST_F(KeptCounter, IsReadBehindTheLoop) {
  loop.load();
  loop.end();
  loop.ir.set_block(loop.behind);
  loop.keep(loop.next);
  expect_kept();
}

TEST_F(KeptCounter, TellsOrderNotEquality) {
  loop.load();
  loop.end(Relations::less);
  expect_kept();
}

TEST_F(KeptCounter, AddressesNothing) {
  loop.keep(loop.address);
  loop.end();
  expect_kept();
}

TEST_F(KeptCounter, IsNotReachedInEveryTurn) {
  IrNode& load = loop.load();
  load.guarded = true;
  load.arguments.push_back(loop.first);
  loop.end();
  expect_kept();
}

TEST_F(KeptCounter, EndsAfterThreeTurns) {
  loop.limit = constant_argument(5 + 3 * 3);
  loop.load();
  loop.end();
  expect_kept();
}

TEST(LoopEnds, WithoutAProduct) {
  for (const std::uint32_t grows : {9U, 4U, 0U}) {
    LoadingLoop loop(grows);
    loop.load();
    loop.end();
    EXPECT_FALSE(loop.replace()) << grows;
  }
}

/// A step of 0 tells no turns, and -2^31 / -1 has more than 32 bits.
TEST(LoopEnds, StepsAtTheEndsOfTheRange) {
  for (const std::uint32_t step : {0U, ~0U}) {
    LoadingLoop loop(1U << 31U);
    loop.limit = constant_argument(5);
    loop.function.definition(loop.next.value).arguments[1] = constant_argument(step);
    loop.load();
    loop.end();
    EXPECT_FALSE(loop.replace()) << step;
    loop.limit = loop.first;
    loop.function.definition(loop.condition.value).arguments[1] = loop.limit;
    EXPECT_EQ(loop.replace(), step != 0) << step;
  }
}

TEST(LoopEnds, FourTurnsAreEnough) {
  LoadingLoop loop;
  loop.limit = constant_argument(5 + 4 * 3);
  loop.load();
  loop.end();
  EXPECT_TRUE(loop.replace());
}

}  // namespace
}  // namespace teslasim::compiler
