// SPDX-License-Identifier: Apache-2.0
#include "sim/base/quantity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <concepts>
#include <limits>

#include "sim/base/types.h"

namespace teslasim::testing {
namespace {

template <typename Left, typename Right>
concept Mixable = requires(Left left, Right right) {
  left + right;
}
|| requires(Left left, Right right) {
  left - right;
}
|| requires(Left left, Right right) {
  left < right;
}
|| requires(Left left, Right right) {
  left == right;
}
|| requires(Left left, Right right) {
  left += right;
}
|| requires(Left left, Right right) {
  left / right;
};

static_assert(Mixable<SmCycle, SmCycle> && Mixable<SmCycle, int>);
static_assert(!Mixable<SmCycle, SpCycle> && !Mixable<SpCycle, SmCycle>);
static_assert(!Mixable<SmCycle, CoreCycle> && !Mixable<SmCycle, MemoryCycle>);
static_assert(!Mixable<MemoryCycle, Femtoseconds> && !Mixable<SpCycle, Femtoseconds>);
static_assert(lesser(SmCycle{3}, SmCycle{5}) == 3 && lesser(SmCycle{5}, 3) == 3 && lesser(SmCycle{4}, 4) == 4);
static_assert(greater(SmCycle{3}, SmCycle{5}) == 5 && greater(SmCycle{5}, 3) == 5 &&
              greater(SmCycle{never}, 3) == never);
static_assert(!std::convertible_to<SmCycle, SpCycle> && !std::constructible_from<SpCycle, SmCycle>);
static_assert(!std::convertible_to<SmCycle, std::uint64_t>, "write count()");
static_assert(std::same_as<decltype(SmCycle{3} * Femtoseconds{7}), Femtoseconds>);
static_assert(std::same_as<decltype(SmCycle{9} / SmCycle{2}), std::uint64_t>, "how often, not how much");

static_assert(!std::convertible_to<SmIndex, WarpSlot> && !std::convertible_to<WarpSlot, BlockIndex>);
static_assert(!std::is_assignable_v<WarpSlot&, SmIndex> && !std::is_assignable_v<BlockIndex&, WarpSlot>);
static_assert(std::convertible_to<WarpSlot, unsigned> && std::convertible_to<BlockIndex, std::uint64_t>);

static_assert(sizeof(SmCycle) == 8 && std::is_trivially_copyable_v<SmCycle>);
static_assert(sizeof(WarpSlot) == 4 && std::is_trivially_copyable_v<WarpSlot>);

TEST(Quantity, an_sm_cycle_is_two_sp_cycles) {
  EXPECT_EQ(sp_cycles(SmCycle{12}), SpCycle{24});
  EXPECT_EQ(whole_sm_cycles(SpCycle{24}), SmCycle{12});
  EXPECT_EQ(whole_sm_cycles(SpCycle{25}), SmCycle{12}) << "the 13th is not over";
}

TEST(Quantity, cycles_become_time_by_the_period_of_their_clock) {
  constexpr Femtoseconds period = 771'605;  // 1.296 GHz
  EXPECT_EQ(SpCycle{1000} * period, Femtoseconds{771'605'000});
  EXPECT_EQ(Femtoseconds{771'605'001} / period, 1000U);
  EXPECT_EQ(Femtoseconds{771'605'001} % period, 1U);
}

TEST(Quantity, never_is_later_than_every_cycle) {
  EXPECT_GT(SmCycle{never}, SmCycle{1} * 1'000'000'000'000);
  EXPECT_EQ(std::numeric_limits<MemoryCycle>::max(), MemoryCycle{never});
}

TEST(Quantity, an_index_counts_and_indexes) {
  const std::array<char, 3> names{'a', 'b', 'c'};
  std::string seen;
  for (WarpSlot warp = 0; warp < names.size(); ++warp) seen += names[warp];
  EXPECT_EQ(seen, "abc");
  EXPECT_EQ(LaneMask{1} << WarpSlot{5}, 32U);
}

RC_GTEST_PROP(Quantity, computes_as_plain_numbers_do, ()) {
  const auto a = *rc::gen::arbitrary<std::uint32_t>(), b = *rc::gen::arbitrary<std::uint32_t>();
  const auto times = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const SmCycle first = a, second = b;
  RC_ASSERT((first + second).count() == std::uint64_t{a} + b);
  RC_ASSERT((std::max(first, second) - std::min(first, second)).count() == std::max(a, b) - std::min(a, b));
  RC_ASSERT((first * times).count() == a * times && (times * first) == first * times);
  RC_ASSERT((first / times).count() == a / times && (first % times).count() == a % times);
  RC_ASSERT((first < second) == (a < b) && (first == second) == (a == b));
}

}  // namespace
}  // namespace teslasim::testing
