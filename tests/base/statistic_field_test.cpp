// SPDX-License-Identifier: Apache-2.0
#include "sim/base/statistic_field.h"

#include <gtest/gtest.h>

#include <array>

namespace teslasim {
namespace {

struct Complete {
  std::uint64_t hits = 0;
  std::array<std::uint64_t, 4> by_size{};
  std::vector<int> rows;
  bool seen = false;
  static constexpr auto fields(const auto& visit) {
    return visit(statistic("hits", &Complete::hits, "", "GPU", "hits"),
                 statistic("by_size", &Complete::by_size, "", "GPU", "by size"),
                 statistic_rows("rows", &Complete::rows), unprinted(&Complete::seen),
                 statistic_ratio("rate", &Complete::hits, &Complete::hits, "no hit", "GPU", "rate", "hits / hits"));
  }
};
static_assert(has_a_row_for_every_member<Complete>);

/// The byte fits behind the first counter, so that the sizes of the rows would not give it away.
struct SmallMemberForgotten {
  std::uint64_t hits = 0;
  bool seen = false;
  static constexpr auto fields(const auto& visit) {
    return visit(statistic("hits", &SmallMemberForgotten::hits, "", "GPU", "hits"));
  }
};
static_assert(!has_a_row_for_every_member<SmallMemberForgotten>);

struct OneTwiceAnotherForgotten {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  static constexpr auto fields(const auto& visit) {
    return visit(statistic("hits", &OneTwiceAnotherForgotten::hits, "", "GPU", "hits"),
                 statistic("misses", &OneTwiceAnotherForgotten::hits, "", "GPU", "misses"));
  }
};
static_assert(!has_a_row_for_every_member<OneTwiceAnotherForgotten>);

TEST(StatisticField, AStructureIsCompleteWhenEachMemberHasOneRow) {
  EXPECT_TRUE(has_a_row_for_every_member<Complete>);
  EXPECT_FALSE(has_a_row_for_every_member<SmallMemberForgotten>);
  EXPECT_FALSE(has_a_row_for_every_member<OneTwiceAnotherForgotten>);
}

}  // namespace
}  // namespace teslasim
