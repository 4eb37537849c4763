// SPDX-License-Identifier: Apache-2.0
// Which box of the floor plan lies in which region.
#include "sim/gpu/floor_plan/region_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace teslasim {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// TPCs by region.
std::vector<unsigned> shares_of_tpcs(const RegionPlan& plan, unsigned tpcs) {
  std::vector<unsigned> shares(plan.with_tpcs());
  for (unsigned tpc = 0; tpc < tpcs; ++tpc) ++shares.at(plan.of_tpc(tpc));
  return shares;
}

TEST(RegionPlan, one_thread_has_one_region) {
  const RegionPlan plan(10, 8, 1);
  EXPECT_FALSE(plan.several());
  EXPECT_THAT(shares_of_tpcs(plan, 10), ElementsAre(10));
  EXPECT_EQ(plan.of_partition(7), plan.of_tpc(9));
}

TEST(RegionPlan, two_regions_with_tpcs_for_each_thread_one_with_what_all_share_and_partitions_by_thread) {
  const RegionPlan plan(10, 8, 2);
  EXPECT_EQ(plan.count(), 4U + 1 + 2);
  EXPECT_THAT(shares_of_tpcs(plan, 10), ElementsAre(3, 3, 2, 2)) << "every other one: five for each thread";
  EXPECT_EQ(plan.of_shared(), 4U);
  EXPECT_EQ(plan.of_partition(3), 5U);
  EXPECT_EQ(plan.of_partition(4), 6U);
}

TEST(RegionPlan, never_more_regions_than_boxes) {
  EXPECT_THAT(shares_of_tpcs(RegionPlan(10, 8, 64), 10), Each(1U));
  EXPECT_EQ(RegionPlan(10, 8, 64).count(), 10U + 1 + 8);
  EXPECT_THAT(shares_of_tpcs(RegionPlan(1, 1, 2), 1), ElementsAre(1));
  const RegionPlan large(120, 32, 64);
  EXPECT_LE(large.count(), Region::most);
  for (unsigned tpc = 1; tpc < 120; ++tpc) {
    EXPECT_LE(large.of_tpc(tpc) - large.of_tpc(tpc - 1), 1U) << "neighbours stay together";
  }
}

}  // namespace
}  // namespace teslasim
