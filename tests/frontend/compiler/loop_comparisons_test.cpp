// SPDX-License-Identifier: Apache-2.0
// Comparisons of a number that a loop divides: the same of the next turn's number, for every number.
#include "frontend/compiler/loop_comparisons.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallFunction;
using Op = IrOperation;

constexpr unsigned all_relations = 7;  // less, equal, greater

/// do s >>= count; while (s_before RELATION limit): 0 -> 1, 1 -> 1 or 2.
struct Halving : SmallFunction {
  IrArgument old{}, next{}, comparison{};

  Halving(Relations relations, std::uint32_t limit, unsigned shift, ValueType type = ValueType::u32) {
    const BlockIndex loop = function.add_block(), behind = function.add_block();
    const IrArgument first = unknown();
    function.jump(0, loop);
    ir.set_block(loop);
    old = ir.emit(Op::phi, {first, first});
    next = ir.shift_right(old, shift, type);
    function.definition(old.value).arguments[1] = next;
    comparison = ir.compare(relations, old, constant_argument(limit), ValueType::u32);
    function.branch(loop, comparison, loop, behind);
    verify_ir(function, "a test");
  }
  [[nodiscard]] std::optional<NextComparison> found(BlockIndex block = 1) const {
    return comparison_with_next(function, function.definition(comparison.value), block);
  }
};

bool holds(Relations relations, std::uint32_t left, std::uint32_t right) {
  return includes(relations, left < right ? Relations::less : left == right ? Relations::equal : Relations::greater);
}

TEST(LoopComparisons, GreaterThanOneIsThatTheNextIsNotZero) {
  const Halving loop(Relations::greater, 1, 1);
  const auto found = loop.found();
  ASSERT_TRUE(found);
  EXPECT_EQ(loop.next.value, found->value);
  EXPECT_EQ(0U, found->limit);
}

TEST(LoopComparisons, SayTheSameOfEveryNumber) {
  unsigned changed = 0;
  for (unsigned relations = 1; relations < all_relations; ++relations) {
    const auto one = static_cast<Relations>(relations);
    for (std::uint32_t limit = 0; limit < 24; ++limit) {
      for (unsigned shift = 1; shift < 4; ++shift) {
        const auto found = Halving(one, limit, shift).found();
        if (!found) continue;
        ++changed;
        for (std::uint32_t number = 0; number < 260; ++number)
          ASSERT_EQ(holds(one, number, limit), holds(one, number >> shift, found->limit))
              << number << " and " << limit << " by " << shift;
      }
    }
  }
  EXPECT_GT(changed, 50U);
}

TEST(LoopComparisons, EqualNumbersAreNotEqualHalves) {
  EXPECT_FALSE(Halving(Relations::equal, 1, 1).found());
  EXPECT_FALSE(Halving(static_cast<Relations>(5), 1, 1).found());
  EXPECT_FALSE(Halving(Relations::greater, 2, 1).found()) << "3 > 2, and 1 > 1 is false";
}

TEST(LoopComparisons, NumbersWithSignAreNotDivided) {
  EXPECT_FALSE(Halving(Relations::greater, 1, 1, ValueType::s32).found());
}

TEST(LoopComparisons, OnlyWhereTheLoopEnds) {
  const Halving loop(Relations::greater, 1, 1);
  EXPECT_FALSE(loop.found(2)) << "block 2 leads to no header";
}

}  // namespace
}  // namespace teslasim::compiler
