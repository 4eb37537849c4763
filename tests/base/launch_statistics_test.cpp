// SPDX-License-Identifier: Apache-2.0
#include "sim/base/launch_statistics.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

TEST(LaunchStatistics, OnChipCountsAddMemberByMember) {
  OnChipStatistics a{3, 5, {}};
  a.degree[1] = 1;
  a.degree[16] = 2;
  OnChipStatistics b{10, 20, {}};
  b.degree[16] = 40;
  OnChipStatistics expected{13, 25, {}};
  expected.degree[1] = 1;
  expected.degree[16] = 42;
  EXPECT_EQ(a += b, expected);
}

TEST(LaunchStatistics, CoalescingCountsAddMemberByMember) {
  CoalescingStatistics a{1, 2, 3, 4, 5, 6};
  const CoalescingStatistics b{10, 20, 30, 40, 50, 60};
  EXPECT_EQ(a += b, (CoalescingStatistics{11, 22, 33, 44, 55, 66}));
}

}  // namespace
}  // namespace teslasim
